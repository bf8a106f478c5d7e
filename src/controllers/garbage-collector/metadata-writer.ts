import { ApiError, type Client } from '../../client/index.ts';
import type { ObjectMeta, OwnerReference, ResourceObject } from '../../meta/object.ts';
import type { CollectedType } from './collected-type.ts';
import { readMetadata } from './owner-lookup.ts';

/** How often a change is retried at once after conflicts, before it goes back to the queue. */
const attempts = 8;

/** An object, identified by name and uid. */
export interface Target {
  readonly type: CollectedType;
  readonly object: ResourceObject;
}

/** Changes the metadata of objects that other writers change concurrently. */
export class MetadataWriter {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Calls `act` with the object, and after a conflict again with its current state. Does nothing when the object is
   * deleted.
   */
  async onNewest({ type, object }: Target, act: (newest: ResourceObject) => Promise<void>): Promise<void> {
    let newest: ResourceObject | undefined = object;
    for (let attempt = 1; newest !== undefined; attempt++) {
      try {
        return await act(newest);
      } catch (error) {
        if (isGone(error, newest)) return;
        if (!isConflict(error) || attempt === attempts) throw error;
      }
      newest = await this.#read({ type, object });
    }
  }

  /** Fails with a conflict when the object differs from `newest`. */
  async patch(type: CollectedType, newest: ResourceObject, change: Partial<Nullable<ObjectMeta>>): Promise<void> {
    const { namespace, name = '', uid, resourceVersion } = newest.metadata;
    await this.#client.resource(type, namespace).patch(name, { metadata: { uid, resourceVersion, ...change } });
  }

  removeFinalizer(target: Target, finalizer: string): Promise<void> {
    return this.onNewest(target, async (newest) => {
      const { finalizers = [] } = newest.metadata;
      if (!finalizers.includes(finalizer)) return;
      const others = finalizers.filter((name) => name !== finalizer);
      await this.patch(target.type, newest, { finalizers: others.length === 0 ? null : others });
    });
  }

  /** Removes owner references. */
  removeOwners(target: Target, isRemoved: (reference: OwnerReference) => boolean): Promise<void> {
    return this.onNewest(target, async (newest) => {
      const { ownerReferences = [] } = newest.metadata;
      const others = ownerReferences.filter((reference) => !isRemoved(reference));
      if (others.length === ownerReferences.length) return;
      await this.patch(target.type, newest, { ownerReferences: others.length === 0 ? null : others });
    });
  }

  async #read({ type, object }: Target): Promise<ResourceObject | undefined> {
    const { namespace = '', name = '', uid } = object.metadata;
    const found = await readMetadata(this.#client, type, { namespace, name });
    return found?.metadata.uid === uid ? found : undefined;
  }
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409;
}

function isGone(error: unknown, { metadata }: ResourceObject): boolean {
  return error instanceof ApiError && error.code === 404 && error.status?.details?.name === metadata.name;
}
