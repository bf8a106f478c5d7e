import { hostname } from 'node:os';
import type { ServerAddress } from '../bootstrap/server-address.ts';
import type { Client } from '../client/index.ts';
import type { Controller } from '../controllers/index.ts';
import type { Meter } from '../meta/meter.ts';
import type { ResourceDefinition, ResourceSet } from '../registry/index.ts';
import type { SharedServiceClaims } from '../service-addresses/index.ts';
import { type Storage, startCompactor } from '../storage/index.ts';
import type { CorruptObjects } from './corrupt-objects.ts';
import { expireEvents } from './expire-events.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import { RunningControllers } from './running-controllers.ts';
import { sharedServiceClaims } from './served-resources.ts';
import { RunningRepair } from './service-repair.ts';
import { SharedStoreTasks } from './shared-store-tasks.ts';
import type { SharingTimings } from './sharing-timings.ts';
import { storedResources } from './stored-resources.ts';

export interface BackgroundWorkOptions {
  readonly options: ResolvedOptions;
  readonly definitions: readonly ResourceDefinition[];
  readonly resources: ResourceSet;
  readonly storage: Storage;
  readonly corrupt: Pick<CorruptObjects, 'compactionFailed'>;
  readonly client: Client;
  readonly material: KeyMaterial;
  readonly meter: Meter;
  readonly controllers: readonly Controller[];
  /** The address for other machines. Undefined if they cannot reach this server. */
  readonly address: ServerAddress | undefined;
  /** Whether this is the first thread of the server. The others do none of this. */
  readonly isFirstThread: boolean;
  /** Whether the server has additional threads. */
  readonly hasThreads: boolean;
  readonly timings: SharingTimings;
  /** Abort it to end the removal of old data. */
  readonly signal: AbortSignal;
}

/**
 * The work of a server besides responding to requests: its controllers, its tasks for other servers and threads,
 * and the removal of old data.
 */
export class BackgroundWork {
  readonly controllers: RunningControllers;
  /** Undefined if no other server needs the address. */
  readonly sharedStoreTasks: SharedStoreTasks | undefined;
  /** Undefined if services have only one writer, or if the repair is one of these tasks. */
  readonly #repair: RunningRepair | undefined;
  readonly #options: BackgroundWorkOptions;

  constructor(work: BackgroundWorkOptions) {
    const { options, definitions, resources, storage, client, material, isFirstThread, timings } = work;
    const isShared = storage.watchesLag;
    const publishesStorageVersions = options.featureGates.StorageVersionAPI;
    const identity = `${hostname()}_${options.identity.uuid('server')}`;
    const claims = (): SharedServiceClaims => sharedServiceClaims(resources, { options, storage });
    this.#options = work;
    this.controllers = new RunningControllers({
      options,
      meter: work.meter,
      client,
      controllers: work.controllers,
      identity,
      isShared,
      timings: timings.election,
    });
    this.sharedStoreTasks =
      isFirstThread && (isShared || publishesStorageVersions)
        ? new SharedStoreTasks({
            options,
            client,
            material,
            address: work.address,
            identity,
            claims: isShared ? claims() : undefined,
            storedResources: publishesStorageVersions ? storedResources(definitions, options) : undefined,
            timings,
          })
        : undefined;
    this.#repair =
      work.hasThreads && !isShared
        ? new RunningRepair({ options, client, claims: claims(), identity, isAlone: true, timings: timings.repair })
        : undefined;
  }

  /** Allocates the addresses and node ports that stored services use without an allocation. */
  completeServiceAddresses(): Promise<void> {
    const { options, resources, storage } = this.#options;
    return sharedServiceClaims(resources, { options, storage }).load();
  }

  /** Must be called when the namespaces exist. */
  start(): void {
    if (this.#options.isFirstThread) this.controllers.start();
    this.sharedStoreTasks?.startRepair();
    this.#repair?.start();
  }

  /** Must be called before anything is written: on a full disk it frees space for the writes of a start. */
  removeOldData(): void {
    const { options, storage, corrupt, isFirstThread, signal } = this.#options;
    // In etcd, events expire by themselves, and the servers of a cluster agree on the one that removes history.
    if (!isFirstThread || options.storage === 'etcd') return;
    const { compactionRetentionMs: retention, eventTtlMs: ttlMs, clock, log } = options;
    startCompactor({ storage, retention, clock, signal, onError: (err) => corrupt.compactionFailed(err) });
    const onError = (err: unknown): void => log.error('expiry of events failed', { err });
    expireEvents({ storage, ttlMs, clock, onError }, signal);
  }

  /** When it resolves, clients of other servers no longer find this one. */
  async leave(): Promise<void> {
    await this.sharedStoreTasks?.stop();
  }

  /** Requires a working API. */
  async stop(): Promise<void> {
    await Promise.all([this.controllers.stop(), this.#repair?.stop()]);
  }
}
