import { ApiError, type Client } from '../../client/index.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';
import { type CollectedType, ownerTypeKey, typeKey } from './collected-type.ts';
import { deletesInForeground, type OwnerGraph } from './owner-graph.ts';

/**
 * What an owner is to its dependent: there; gone, or never there; there until its dependents are gone; of a type that nobody
 * knows at present; or one that the dependent cannot have, because it lives in a namespace and the dependent in none.
 */
export type Ownership = 'solid' | 'absent' | 'waiting' | 'unknown' | 'impossible';

/** How many owners are remembered as absent. None of them comes back: a uid is never given twice. */
const mostRemembered = 4096;

/** Finds owners. What speaks for deleting a dependent is never taken from memory alone: the server is asked. */
export class OwnerLookup {
  readonly #client: Client;
  readonly #graph: OwnerGraph;
  readonly #typeOf: (key: string) => CollectedType | undefined;
  readonly #absent = new Set<string>();

  constructor(options: { client: Client; graph: OwnerGraph; typeOf: (key: string) => CollectedType | undefined }) {
    this.#client = options.client;
    this.#graph = options.graph;
    this.#typeOf = options.typeOf;
  }

  /** It lives in no namespace and names an owner that lives in one. */
  isImpossible(reference: OwnerReference, { metadata }: ResourceObject): boolean {
    return !metadata.namespace && this.#typeOf(ownerTypeKey(reference))?.namespaced === true;
  }

  async find(reference: OwnerReference, dependent: ResourceObject): Promise<Ownership> {
    const { namespace = '' } = dependent.metadata;
    const type = this.#typeOf(ownerTypeKey(reference));
    if (type === undefined) return 'unknown';
    if (this.isImpossible(reference, dependent)) return 'impossible';
    const where = type.namespaced ? namespace : '';
    const known = this.#graph.owner(reference, dependent);
    if (known !== undefined && !deletesInForeground(known.object)) return 'solid';
    return this.#ask(reference, type, where);
  }

  async #ask({ name, uid }: OwnerReference, type: CollectedType, namespace: string): Promise<Ownership> {
    const key = `${uid} ${typeKey(type)} ${namespace}/${name}`;
    if (this.#absent.has(key)) return 'absent';
    const found = await readMetadata(this.#client, type, { namespace, name });
    if (found?.metadata.uid === uid) return deletesInForeground(found) ? 'waiting' : 'solid';
    if (this.#absent.size >= mostRemembered) this.#absent.clear();
    this.#absent.add(key);
    return 'absent';
  }
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** The object as it is now; undefined when there is none. A type that is not served says nothing about its objects: that throws. */
export async function readMetadata(
  client: Client,
  type: CollectedType,
  { namespace, name }: Place,
): Promise<ResourceObject | undefined> {
  try {
    return await client.resource(type, namespace).metadataOnly().get(name);
  } catch (error) {
    if (error instanceof ApiError && error.code === 404 && error.status?.details?.name === name) return undefined;
    throw error;
  }
}
