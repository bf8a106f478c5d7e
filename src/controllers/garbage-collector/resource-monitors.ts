import { type Client, type Discovery, pause, Reflector } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { type CollectedType, typeKey } from './collected-type.ts';

export interface ResourceMonitorsOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly report: (error: Error) => void;
  readonly onPut: (type: CollectedType, object: ResourceObject) => void;
  readonly onRemoved: (uid: string) => void;
  /** The objects of a type, by `typeKey`, that have been put and not removed. */
  readonly uidsOf: (key: string) => Set<string>;
  /** There are types that were not there before, by `typeKey`. */
  readonly onTypes: (isNew: (key: string) => boolean) => void;
}

interface Monitor {
  readonly type: CollectedType;
  readonly reflector: Reflector;
  readonly stop: AbortController;
  /** Resolves when the reflector has told what there is, or takes too long for it. */
  readonly begun: Promise<void>;
}

const needed = ['delete', 'list', 'watch'];
/** They come and go by themselves, many at a time, and own nothing. */
const ignored = ['/events', 'events.k8s.io/events'];
/** How many types begin at a time: to follow them all at once would hold up everybody else. */
const beginAtOnce = 8;
/** How long others wait for a type that does not answer. */
const patienceMs = 30_000;

/** Follows the metadata of all objects that can be deleted, whatever types there are. */
export class ResourceMonitors {
  readonly #options: ResourceMonitorsOptions;
  readonly #signal: AbortSignal;
  readonly #monitors = new Map<string, Monitor>();
  #types = new Map<string, CollectedType>();
  #refreshing: Promise<void> = Promise.resolve();
  /** How many refreshes and reflectors have not come to an end of their beginning. */
  #beginning = 0;

  constructor(options: ResourceMonitorsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** The types that are followed. */
  types(): CollectedType[] {
    return Array.from(this.#monitors.values(), ({ type }) => type);
  }

  /** Also those that cannot be followed, by `typeKey`. */
  typeOf(key: string): CollectedType | undefined {
    return this.#types.get(key);
  }

  /** Follows new types and forgets those that are not served any more. Rejects when nobody can say. */
  refresh(): Promise<void> {
    this.#beginning++;
    const refreshed = this.#refreshing
      .catch(() => {})
      .then(() => this.#refresh())
      .finally(() => this.#beginning--);
    this.#refreshing = refreshed;
    return refreshed;
  }

  /** Resolves when all that has begun has told what there is, or takes too long for it. Undefined when nobody has to wait. */
  synced(): Promise<unknown> | undefined {
    if (this.#beginning === 0) return undefined;
    const begun = Array.from(this.#monitors.values(), (monitor) => monitor.begun);
    return Promise.all([this.#refreshing.catch(() => {}), ...begun]);
  }

  async stopped(): Promise<void> {
    await this.#refreshing.catch(() => {});
    await Promise.all(Array.from(this.#monitors.values(), ({ reflector }) => reflector.stopped));
  }

  async #refresh(): Promise<void> {
    const { resources, failed } = await this.#options.discovery.read();
    const known = this.#types;
    this.#types = new Map(resources.map((type) => [typeKey(type), type]));
    const followed = resources.filter(
      ({ group, resource, verbs }) =>
        needed.every((verb) => verbs.includes(verb)) && !ignored.includes(`${group}/${resource}`),
    );
    const keys = new Set(followed.map(typeKey));
    for (const [key, monitor] of this.#monitors) {
      // Of a group that does not answer nothing is known, and its types may well be there.
      const isDoubtful = failed.some((groupVersion) => groupVersion.startsWith(`${monitor.type.group}/`));
      if (!keys.has(key) && !isDoubtful) this.#forget(key, monitor);
    }
    const fresh = followed.filter((type) => !this.#monitors.has(typeKey(type)));
    for (let start = 0; start < fresh.length && !this.#signal.aborted; start += beginAtOnce) {
      await Promise.all(fresh.slice(start, start + beginAtOnce).map((type) => this.#follow(type).begun));
    }
    if (resources.some((type) => !known.has(typeKey(type)))) this.#options.onTypes((key) => !known.has(key));
  }

  #follow(type: CollectedType): Monitor {
    const { client, report } = this.#options;
    const stop = new AbortController();
    const source = client.resource(type).metadataOnly();
    const sink = new MonitorSink(type, this.#options);
    const reflector = new Reflector({ source, sink, report }, AbortSignal.any([this.#signal, stop.signal]));
    const monitor = { type, reflector, stop, begun: this.#begun(reflector) };
    this.#monitors.set(typeKey(type), monitor);
    return monitor;
  }

  #forget(key: string, { stop }: Monitor): void {
    this.#monitors.delete(key);
    stop.abort();
    for (const uid of this.#options.uidsOf(key)) this.#options.onRemoved(uid);
  }

  async #begun({ synced }: Reflector): Promise<void> {
    this.#beginning++;
    const enough = new AbortController();
    const late = pause(patienceMs, AbortSignal.any([this.#signal, enough.signal]));
    await Promise.race([synced.catch(() => {}), late]);
    enough.abort();
    this.#beginning--;
  }
}

type MonitorListener = Pick<ResourceMonitorsOptions, 'onPut' | 'onRemoved' | 'uidsOf'>;

/** Tells of the objects of one type, and after a list that was repeated of those that have gone unseen. */
class MonitorSink {
  readonly #type: CollectedType;
  readonly #listener: MonitorListener;
  #hasBegun = false;
  #unlisted = new Set<string>();

  constructor(type: CollectedType, listener: MonitorListener) {
    this.#type = type;
    this.#listener = listener;
  }

  beginList(): void {
    if (this.#hasBegun) this.#unlisted = this.#listener.uidsOf(typeKey(this.#type));
    this.#hasBegun = true;
  }

  put(object: ResourceObject): void {
    this.#unlisted.delete(object.metadata.uid ?? '');
    this.#listener.onPut(this.#type, object);
  }

  remove({ metadata: { uid = '' } }: ResourceObject): void {
    this.#unlisted.delete(uid);
    this.#listener.onRemoved(uid);
  }

  endList(): void {
    for (const uid of this.#unlisted) this.#listener.onRemoved(uid);
    this.#unlisted.clear();
  }
}
