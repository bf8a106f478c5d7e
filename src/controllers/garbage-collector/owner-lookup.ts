import { ApiError, type Client } from '../../client/index.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';
import { type CollectedType, ownerTypeKey, typeKey } from './collected-type.ts';
import { deletesInForeground, type OwnerGraph } from './owner-graph.ts';

/**
 * The state of an owner: `solid`: it exists; `absent`: it does not exist; `waiting`: it is being deleted and waits for
 * its dependents; `unknown`: its type is unknown at present; `impossible`: it is namespaced and the dependent is not.
 */
export type Ownership = 'solid' | 'absent' | 'waiting' | 'unknown' | 'impossible';

/**
 * The maximum number of absent owners that are cached. They can reappear only if the store is reset to an earlier
 * state.
 */
const maxCached = 4096;

/** Looks up owners. A state that leads to the deletion of a dependent is always confirmed by the server. */
export class OwnerLookup {
  readonly #client: Client;
  readonly #graph: OwnerGraph;
  readonly #typeOf: (key: string) => CollectedType | undefined;
  readonly #absent = new Set<string>();
  /** The uids of deleted owners that had dependents. */
  readonly #deleted = new Set<string>();
  readonly #storeState: () => number;
  /** The store state of the cached entries. */
  #cachedState = 0;

  constructor(options: {
    client: Client;
    graph: OwnerGraph;
    typeOf: (key: string) => CollectedType | undefined;
    storeState: () => number;
  }) {
    this.#client = options.client;
    this.#storeState = options.storeState;
    this.#graph = options.graph;
    this.#typeOf = options.typeOf;
  }

  /** Remembers that an owner was deleted. Its type may be withdrawn before its dependents are collected. */
  deleted(uid: string): void {
    if (this.#graph.dependents(uid).next().done) return;
    if (this.#deleted.size >= maxCached) this.#deleted.clear();
    this.#deleted.add(uid);
  }

  /** Whether a cluster-scoped object names a namespaced owner. */
  isImpossible(reference: OwnerReference, { metadata }: ResourceObject): boolean {
    return !metadata.namespace && this.#typeOf(ownerTypeKey(reference))?.namespaced === true;
  }

  async find(reference: OwnerReference, dependent: ResourceObject): Promise<Ownership> {
    this.#forgetOtherStates();
    const { namespace = '' } = dependent.metadata;
    const type = this.#typeOf(ownerTypeKey(reference));
    if (type === undefined) return this.#deleted.has(reference.uid) ? 'absent' : 'unknown';
    if (this.isImpossible(reference, dependent)) return 'impossible';
    const where = type.namespaced ? namespace : '';
    const known = this.#graph.owner(reference, dependent);
    if (known !== undefined && !deletesInForeground(known.object)) return 'solid';
    return this.#read(reference, type, where);
  }

  #forgetOtherStates(): void {
    const state = this.#storeState();
    if (state === this.#cachedState) return;
    this.#cachedState = state;
    this.#absent.clear();
    this.#deleted.clear();
  }

  async #read({ name, uid }: OwnerReference, type: CollectedType, namespace: string): Promise<Ownership> {
    const key = `${uid} ${typeKey(type)} ${namespace}/${name}`;
    if (this.#absent.has(key)) return 'absent';
    const found = await readMetadata(this.#client, type, { namespace, name });
    if (found?.metadata.uid === uid) return deletesInForeground(found) ? 'waiting' : 'solid';
    if (this.#absent.size >= maxCached) this.#absent.clear();
    this.#absent.add(key);
    return 'absent';
  }
}

interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Reads the current metadata; undefined when the object does not exist. Rejects when the type is not served, because
 * that says nothing about the object.
 */
export async function readMetadata(
  client: Client,
  type: CollectedType,
  { namespace, name }: ObjectName,
): Promise<ResourceObject | undefined> {
  try {
    return await client.resource(type, namespace).metadataOnly().get(name);
  } catch (error) {
    if (error instanceof ApiError && error.code === 404 && error.status?.details?.name === name) return undefined;
    throw error;
  }
}
