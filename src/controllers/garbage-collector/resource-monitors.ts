import { type Client, type Discovery, Reflector } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { type CollectedType, typeKey } from './collected-type.ts';
import { isTypeGone } from './type-gone.ts';

export interface ResourceMonitorsOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly report: (error: Error) => void;
  readonly onPut: (type: CollectedType, object: ResourceObject) => void;
  /** Called when an object was deleted. */
  readonly onRemoved: (uid: string, type: CollectedType) => void;
  /** Called when the type of an object is no longer served. */
  readonly onForgotten: (uid: string) => void;
  /** The uids of a type, by `typeKey`, that have been put and not removed. */
  readonly uidsOf: (key: string) => Set<string>;
  /** Called when new types are served, by `typeKey`. */
  readonly onTypes: (isNew: (key: string) => boolean) => void;
}

interface Monitor {
  readonly type: CollectedType;
  readonly reflector: Reflector;
  readonly stop: AbortController;
  /** Resolves when the reflector has synced, or takes too long. */
  readonly started: Promise<void>;
}

const needed = ['delete', 'list', 'watch'];
/** Events are many, expire by themselves and own nothing. */
const ignored = ['/events', 'events.k8s.io/events'];
/** How many types are listed concurrently: listing all at once would delay other requests. */
const concurrentStarts = 8;
/** How long other types wait for a type that does not sync. */
const syncTimeoutMs = 30_000;

/** Watches the metadata of all deletable objects of all served types. */
export class ResourceMonitors {
  readonly #options: ResourceMonitorsOptions;
  readonly #signal: AbortSignal;
  readonly #monitors = new Map<string, Monitor>();
  #types = new Map<string, CollectedType>();
  #refreshing: Promise<void> = Promise.resolve();
  /** The number of refreshes and reflectors that have not finished starting. */
  #starting = 0;

  constructor(options: ResourceMonitorsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** The watched types. */
  types(): CollectedType[] {
    return Array.from(this.#monitors.values(), ({ type }) => type);
  }

  /** Includes types that cannot be watched. By `typeKey`. */
  typeOf(key: string): CollectedType | undefined {
    return this.#types.get(key);
  }

  /** Watches new types and drops types that are no longer served. Rejects when discovery fails. */
  refresh(): Promise<void> {
    this.#starting++;
    const refreshed = this.#refreshing
      .catch(() => {})
      .then(() => this.#refresh())
      .finally(() => this.#starting--);
    this.#refreshing = refreshed;
    return refreshed;
  }

  /** Resolves when all monitors have synced or take too long. Returns undefined when nothing is starting. */
  synced(): Promise<unknown> | undefined {
    if (this.#starting === 0) return undefined;
    const started = Array.from(this.#monitors.values(), (monitor) => monitor.started);
    return Promise.all([this.#refreshing.catch(() => {}), ...started]);
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
    const keys = new Map(followed.map((type) => [typeKey(type), type]));
    for (const [key, monitor] of this.#monitors) {
      // The types of a group whose discovery failed may still be served.
      const isDoubtful = failed.some((groupVersion) => groupVersion.startsWith(`${monitor.type.group}/`));
      const present = keys.get(key);
      if (present !== undefined) this.#move(monitor, present);
      else if (!isDoubtful) this.#forget(key, monitor);
    }
    const fresh = followed.filter((type) => !this.#monitors.has(typeKey(type)));
    for (let start = 0; start < fresh.length && !this.#signal.aborted; start += concurrentStarts) {
      await Promise.all(fresh.slice(start, start + concurrentStarts).map((type) => this.#follow(type).started));
    }
    if (resources.some((type) => !known.has(typeKey(type)))) this.#options.onTypes((key) => !known.has(key));
  }

  #follow(type: CollectedType): Monitor {
    const { client } = this.#options;
    // The next refresh forgets the type.
    const report = (error: Error): void => {
      if (!isTypeGone(error)) this.#options.report(error);
    };
    const stop = new AbortController();
    const source = client.resource(type).metadataOnly();
    // Another version of the type may have been followed before.
    const sink = new MonitorSink(type, this.#options, { hasListed: this.#monitors.has(typeKey(type)) });
    const reflector = new Reflector({ source, sink, report }, AbortSignal.any([this.#signal, stop.signal]));
    const monitor = { type, reflector, stop, started: this.#started(reflector) };
    this.#monitors.set(typeKey(type), monitor);
    return monitor;
  }

  /** Another version has become the preferred one, perhaps because the followed one is no longer served. */
  #move({ type, stop }: Monitor, present: CollectedType): void {
    if (type.version === present.version && type.resource === present.resource) return;
    stop.abort();
    this.#follow(present);
  }

  #forget(key: string, { stop }: Monitor): void {
    this.#monitors.delete(key);
    stop.abort();
    for (const uid of this.#options.uidsOf(key)) this.#options.onForgotten(uid);
  }

  /** `synced` also settles when the signal aborts. */
  #started({ synced }: Reflector): Promise<void> {
    this.#starting++;
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, syncTimeoutMs);
      timer.unref();
      const settled = (): void => {
        clearTimeout(timer);
        resolve();
      };
      synced.then(settled, settled);
    }).finally(() => this.#starting--);
  }
}

type MonitorListener = Pick<ResourceMonitorsOptions, 'onPut' | 'onRemoved' | 'uidsOf'>;

/** Delivers the objects of one type. After a relist it also reports objects whose deletion was missed. */
class MonitorSink {
  readonly #type: CollectedType;
  readonly #listener: MonitorListener;
  #hasListed: boolean;
  #unlisted = new Set<string>();

  constructor(type: CollectedType, listener: MonitorListener, { hasListed }: { readonly hasListed: boolean }) {
    this.#type = type;
    this.#listener = listener;
    this.#hasListed = hasListed;
  }

  beginList(): void {
    if (this.#hasListed) this.#unlisted = this.#listener.uidsOf(typeKey(this.#type));
    this.#hasListed = true;
  }

  put(object: ResourceObject): void {
    this.#unlisted.delete(object.metadata.uid ?? '');
    this.#listener.onPut(this.#type, object);
  }

  remove({ metadata: { uid = '' } }: ResourceObject): void {
    this.#unlisted.delete(uid);
    this.#listener.onRemoved(uid, this.#type);
  }

  endList(): void {
    for (const uid of this.#unlisted) this.#listener.onRemoved(uid, this.#type);
    this.#unlisted.clear();
  }
}
