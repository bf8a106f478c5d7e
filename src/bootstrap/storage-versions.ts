import { isDeepStrictEqual } from 'node:util';
import { ApiError, type Client, pause } from '../client/index.ts';
import { type GroupResource, qualifiedResource } from '../meta/group-version.ts';
import {
  type ServerStorageVersion,
  type StorageVersion,
  storageVersionsResource,
  withServer,
} from '../meta/storage-version.ts';

/** The versions of a stored resource on this server. */
export interface StoredResource extends Omit<ServerStorageVersion, 'apiServerID'> {
  /** Names the StorageVersion. */
  readonly resource: GroupResource;
  /** All resources that share the stored objects, this one included. */
  readonly equivalent: readonly GroupResource[];
}

export interface StorageVersionsOptions {
  readonly client: Client;
  /** The name of this server's Lease. */
  readonly serverId: string;
  readonly resources: readonly StoredResource[];
  readonly report: (error: Error) => void;
}

/** How often a failed update is repeated, and after how long. */
const attempts = 3;
const repeatMs = 1000;
/** In case the objects were modified by others. */
const reconcileMs = 10 * 60 * 1000;

/** Publishes the storage versions of this server in StorageVersion objects. */
export class StorageVersions {
  readonly #options: StorageVersionsOptions;
  /** The resources that were never updated, with the last failure. */
  readonly #pending = new Map<string, Error | undefined>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: StorageVersionsOptions) {
    this.#options = options;
    for (const { equivalent } of options.resources) {
      for (const resource of equivalent) this.#pending.set(qualifiedResource(resource), undefined);
    }
  }

  get isComplete(): boolean {
    return this.#pending.size === 0;
  }

  isPending(resource: GroupResource): boolean {
    return this.#pending.has(qualifiedResource(resource));
  }

  lastError(resource: GroupResource): Error | undefined {
    return this.#pending.get(qualifiedResource(resource));
  }

  /** Updates all objects until that has succeeded, then keeps them up to date. The Lease of this server must exist. */
  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.update(signal);
      if (this.isComplete) break;
      await pause(repeatMs, signal);
    }
    void this.#reconcile(signal);
  }

  /** Updates all objects once. Calls do not overlap. Failures are reported. */
  update(signal: AbortSignal): Promise<void> {
    this.#running = this.#running.then(async () => {
      await Promise.all(this.#options.resources.map((stored) => this.#updateOne(stored, signal)));
    });
    return this.#running;
  }

  async #reconcile(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(reconcileMs, signal);
      if (signal.aborted) return;
      await this.update(signal);
    }
  }

  async #updateOne(stored: StoredResource, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; !signal.aborted; ) {
      try {
        await this.#write(stored);
        for (const resource of stored.equivalent) this.#pending.delete(qualifiedResource(resource));
        return;
      } catch (error) {
        // Other servers write the same objects.
        if (isRace(error)) continue;
        const failed = stored.equivalent.filter((resource) => this.isPending(resource));
        for (const resource of failed) this.#pending.set(qualifiedResource(resource), error as Error);
        if (attempt === attempts) return this.#options.report(error as Error);
        attempt += 1;
        await pause(repeatMs, signal);
      }
    }
  }

  async #write({ resource, encodingVersion, decodableVersions, servedVersions }: StoredResource): Promise<void> {
    const { client, serverId } = this.#options;
    const objects = client.resource<StorageVersion>(storageVersionsResource);
    const name = `${resource.group || 'core'}.${resource.resource}`;
    const found = await objects.get(name).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    });
    // A new object has no status.
    const current = found ?? (await objects.create({ metadata: { name } }));
    const entry = { apiServerID: serverId, encodingVersion, decodableVersions, servedVersions };
    const wanted = withServer(current, entry, new Date());
    if (!isDeepStrictEqual(wanted.status, current.status)) await objects.update(wanted, { subresource: 'status' });
  }
}

function isRace(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409;
}
