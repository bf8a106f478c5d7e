import { type Client, type Discovery, Informer, type ObjectList, pause, type WatchEvent } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { type CollectedType, collectedPart, typeKey } from './collected-type.ts';

export interface ResourceMonitorsOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly report: (error: Error) => void;
  readonly onPut: (type: CollectedType, object: ResourceObject) => void;
  readonly onRemoved: (uid: string) => void;
  /** There are types that were not there before, by `typeKey`. */
  readonly onTypes: (isNew: (key: string) => boolean) => void;
}

interface Monitor {
  readonly type: CollectedType;
  readonly informer: Informer;
  readonly stop: AbortController;
  /** Resolves when the informer has told what there is, or takes too long for it. */
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
  /** How many refreshes and informers have not come to an end of their beginning. */
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
    await Promise.all(Array.from(this.#monitors.values(), ({ informer }) => informer.stopped));
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
    const { client, report, onPut, onRemoved } = this.#options;
    const stop = new AbortController();
    const source = client.resource(type).metadataOnly();
    const informer = new Informer(
      {
        list: async (parameters, signal) => trimmedList(await source.list(parameters, signal)),
        watch: (parameters, signal) => trimmed(source.watch(parameters, signal)),
      },
      { report },
      AbortSignal.any([this.#signal, stop.signal]),
    );
    informer.addHandler({
      added: (object) => onPut(type, object),
      updated: (object) => onPut(type, object),
      deleted: ({ metadata }) => onRemoved(metadata.uid ?? ''),
    });
    const monitor = { type, informer, stop, begun: this.#begun(informer) };
    this.#monitors.set(typeKey(type), monitor);
    return monitor;
  }

  #forget(key: string, { informer, stop }: Monitor): void {
    this.#monitors.delete(key);
    stop.abort();
    for (const { metadata } of informer.list()) this.#options.onRemoved(metadata.uid ?? '');
  }

  async #begun({ synced }: Informer): Promise<void> {
    this.#beginning++;
    const enough = new AbortController();
    const late = pause(patienceMs, AbortSignal.any([this.#signal, enough.signal]));
    await Promise.race([synced.catch(() => {}), late]);
    enough.abort();
    this.#beginning--;
  }
}

function trimmedList(list: ObjectList<ResourceObject>): ObjectList<ResourceObject> {
  return { ...list, items: list.items.map(collectedPart) };
}

async function* trimmed(events: AsyncIterable<WatchEvent<ResourceObject>>): AsyncGenerator<WatchEvent<ResourceObject>> {
  for await (const event of events) {
    yield event.type === 'ERROR' ? event : { type: event.type, object: collectedPart(event.object) };
  }
}
