import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, type Client, Informer, pause, type ResourceClient } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { parseServerAddress, type ServerAddress, serverAddressText } from './server-address.ts';

/** The Lease of a server, in the form of kube-apiserver. */
interface ServerLease extends ResourceObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
}

/** The keys that servers with a shared store must have in common. */
export interface ServerKeys {
  /** The id of the key that signs service account tokens. */
  readonly tokenKey: string;
  /** The fingerprint of the CA by which clients verify the server. */
  readonly ca: string;
}

export interface LiveServersOptions {
  readonly client: Client;
  /** Identifies this process. */
  readonly identity: string;
  /** The address for other machines. Undefined if they cannot reach this server. */
  readonly address: ServerAddress | undefined;
  readonly keys: () => ServerKeys;
  readonly timings?: PresenceTimings | undefined;
  /** Called with the addresses of all live servers when they may have changed, and regularly. Calls do not overlap. */
  readonly onAddresses: (addresses: readonly ServerAddress[]) => Promise<void>;
  /** Called when the Lease of this server had to be created again, because another server had removed it as expired. */
  readonly onReturned?: () => void;
  /** Called for every server that is found, and again when its keys change. */
  readonly onPeer: (name: string, keys: ServerKeys) => void;
  readonly report: (error: Error) => void;
}

export interface PresenceTimings {
  readonly durationSeconds: number;
  readonly renewMs: number;
}

const defaultTimings: PresenceTimings = { durationSeconds: 15, renewMs: 5000 };
const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const identityLabel = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
const selectors = { labelSelector: Object.entries(identityLabel)[0]!.join('=') };
const addressAnnotation = 'kubernetes.io/peer-advertise-address';
const tokenKeyAnnotation = 'servers.keelson/token-key';
const caAnnotation = 'servers.keelson/ca';

/**
 * The servers that share a store. Each has a Lease in the namespace `kube-system`, which it renews. A server that stops
 * removes its Lease. The other servers remove a Lease that was not renewed within its duration.
 */
export class LiveServers {
  readonly #options: LiveServersOptions;
  readonly #timings: PresenceTimings;
  readonly #objects: ResourceClient<ServerLease>;
  readonly #name: string;
  readonly #end = new AbortController();
  /**
   * When each Lease was last seen to change, by name. The times in the Leases are not used, because clocks differ.
   */
  readonly #seen = new Map<string, { readonly version: string; readonly at: number }>();
  readonly #peers = new Map<string, string>();
  #informer: Informer<ServerLease> | undefined;
  #registered: Promise<void> | undefined;
  #isAnnounced = false;
  #hasChanged = false;
  #wake = (): void => {};
  #done: Promise<void> | undefined;

  constructor(options: LiveServersOptions) {
    const { client, address, timings = defaultTimings } = options;
    this.#options = options;
    this.#timings = timings;
    this.#objects = client.resource<ServerLease>(leases, 'kube-system');
    this.#name = leaseName(address);
  }

  /** The name of this server's Lease, by which other objects refer to it. */
  get name(): string {
    return this.#name;
  }

  /** Resolves when the other servers are known and this one has its Lease. */
  register(): Promise<void> {
    this.#registered ??= this.#register();
    return this.#registered;
  }

  /** Resolves when the server is registered and its address is published. */
  async start(): Promise<void> {
    await this.register();
    await this.#publish();
    this.#isAnnounced = true;
  }

  async #register(): Promise<void> {
    const { signal } = this.#end;
    this.#informer = new Informer(this.#objects, { selectors, report: this.#options.report }, signal);
    const changed = (object: ServerLease): void => this.#changed(object);
    this.#informer.addHandler({
      added: changed,
      updated: changed,
      deleted: ({ metadata: { name = '' } }) => {
        this.#seen.delete(name);
        this.#peers.delete(name);
        this.#alert();
      },
    });
    await this.#informer.synced;
    await this.#renew();
    this.#done = this.#run(signal);
  }

  /** Removes the Lease of this server, and publishes the addresses of the others. */
  async stop(): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    await this.#done;
    const { report, identity } = this.#options;
    try {
      const found = await this.#find();
      // A later process of the same server may have taken over.
      if (found !== undefined && found.spec?.holderIdentity !== identity) return;
      if (found !== undefined) await this.#remove(found);
      if (this.#informer !== undefined) await this.#publish({ isLeaving: true });
    } catch (error) {
      report(error as Error);
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { report } = this.#options;
    let renewed = performance.now();
    while (!signal.aborted) {
      await this.#next(renewed + this.#timings.renewMs - performance.now(), signal);
      if (signal.aborted) return;
      try {
        if (performance.now() >= renewed + this.#timings.renewMs) {
          renewed = performance.now();
          if ((await this.#renew()) === 'created') this.#options.onReturned?.();
          await this.#removeDead();
        }
        if (this.#isAnnounced) await this.#publish();
      } catch (error) {
        if (!signal.aborted) report(error as Error);
      }
    }
  }

  /** Waits for a change, or for the given time. */
  async #next(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    if (!this.#hasChanged && ms > 0) await pause(ms, AbortSignal.any([signal, woken.signal]));
    this.#hasChanged = false;
  }

  #alert(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  #changed(lease: ServerLease): void {
    const { name = '', resourceVersion: version = '', annotations = {} } = lease.metadata;
    const isNew = !this.#seen.has(name);
    this.#seen.set(name, { version, at: performance.now() });
    if (isNew) this.#alert();
    const { [tokenKeyAnnotation]: tokenKey, [caAnnotation]: ca } = annotations;
    if (name === this.#name || tokenKey === undefined || ca === undefined) return;
    const keys = `${tokenKey} ${ca}`;
    if (this.#peers.get(name) === keys) return;
    this.#peers.set(name, keys);
    this.#options.onPeer(name, { tokenKey, ca });
  }

  /**
   * Repeats the write when a server was added or removed meanwhile, because another server may have written an older
   * list.
   */
  async #publish(options?: { readonly isLeaving: boolean }): Promise<void> {
    let addresses = await this.#addresses(options);
    for (;;) {
      await this.#options.onAddresses(addresses);
      const latest = await this.#addresses(options);
      if (isDeepStrictEqual(latest, addresses)) return;
      addresses = latest;
    }
  }

  /** Reads the current Leases, because the informer may lag. */
  async #addresses({ isLeaving = false } = {}): Promise<ServerAddress[]> {
    const { address } = this.#options;
    const { items } = await this.#objects.list(selectors);
    const others = items
      .filter((lease) => isServerLease(lease) && lease.metadata.name !== this.#name && !this.#isDead(lease))
      .flatMap(({ metadata: { annotations } }) => parseServerAddress(annotations?.[addressAnnotation] ?? '') ?? []);
    return isLeaving || address === undefined ? others : [address, ...others];
  }

  #isDead({ metadata: { name = '' }, spec }: ServerLease): boolean {
    const at = this.#seen.get(name)?.at ?? Infinity;
    return performance.now() >= at + (spec?.leaseDurationSeconds ?? 0) * 1000;
  }

  async #removeDead(): Promise<void> {
    const dead = this.#informer!.list().filter(
      (lease) => isServerLease(lease) && lease.metadata.name !== this.#name && this.#isDead(lease),
    );
    await Promise.all(dead.map((lease) => this.#remove(lease)));
  }

  async #renew(): Promise<'created' | 'renewed'> {
    for (;;) {
      const found = await this.#find();
      try {
        if (found === undefined) await this.#objects.create(this.#lease(undefined));
        else await this.#objects.update(this.#lease(found));
        return found === undefined ? 'created' : 'renewed';
      } catch (error) {
        // Another server has just removed the Lease, or another process of this server has written it.
        if (!(error instanceof ApiError) || (error.code !== 409 && error.code !== 404)) throw error;
      }
    }
  }

  #lease(found: ServerLease | undefined): ServerLease {
    const { identity, address, keys } = this.#options;
    const { tokenKey, ca } = keys();
    const { labels, annotations, ...metadata } = found?.metadata ?? { name: this.#name };
    return {
      ...found,
      metadata: {
        ...metadata,
        labels: { ...labels, ...identityLabel, 'kubernetes.io/hostname': hostname() },
        annotations: {
          ...annotations,
          ...(address && { [addressAnnotation]: serverAddressText(address) }),
          [tokenKeyAnnotation]: tokenKey,
          [caAnnotation]: ca,
        },
      },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: this.#timings.durationSeconds,
        renewTime: new Date().toISOString().replace('Z', '000Z'),
      },
    };
  }

  async #find(): Promise<ServerLease | undefined> {
    try {
      return await this.#objects.get(this.#name);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  async #remove({ metadata: { name = '', uid, resourceVersion } }: ServerLease): Promise<void> {
    try {
      await this.#objects.delete(name, {}, { preconditions: { uid, resourceVersion } });
    } catch (error) {
      // The Lease was renewed or already removed.
      if (!(error instanceof ApiError) || (error.code !== 409 && error.code !== 404)) throw error;
    }
  }
}

/** A kube-apiserver, whose Lease lasts for an hour, has no such annotation. */
function isServerLease({ metadata: { annotations } }: ServerLease): boolean {
  return annotations?.[tokenKeyAnnotation] !== undefined;
}

/** The name stays the same after a restart, so that a server takes over the Lease of its earlier process. */
function leaseName(address: ServerAddress | undefined): string {
  const identity = `${hostname()} ${address === undefined ? '' : serverAddressText(address)}`;
  return `apiserver-${createHash('sha256').update(identity).digest('hex').slice(0, 26)}`;
}
