import type { Client, DeleteOptions } from '../../client/index.ts';
import { foregroundFinalizer, orphanFinalizer } from '../../meta/finalizers.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';
import type { MetadataWriter } from './metadata-writer.ts';
import { deletesInForeground, type GraphNode, isDeleting, type OwnerGraph, ownersOf } from './owner-graph.ts';
import type { OwnerLookup, Ownership } from './owner-lookup.ts';

export interface ObjectCollectorOptions {
  readonly client: Client;
  readonly graph: OwnerGraph;
  readonly owners: OwnerLookup;
  readonly writer: MetadataWriter;
  /** Called for an owner in another namespace, which an object cannot have. */
  readonly onImpossible: (node: GraphNode, reference: OwnerReference) => void;
}

/** Decides for one object whether it is deleted, kept, or loses references to deleted owners. */
export class ObjectCollector {
  readonly #options: ObjectCollectorOptions;

  constructor(options: ObjectCollectorOptions) {
    this.#options = options;
  }

  async collect(uid: string): Promise<void> {
    const { graph, owners, writer } = this.#options;
    const node = graph.get(uid);
    if (node === undefined) return;
    if (deletesInForeground(node.object)) {
      const isLeftAlone = (object: ResourceObject): boolean =>
        ownersOf(object).some((reference) => owners.isImpossible(reference, object));
      if (!graph.isBlocked(uid, isLeftAlone)) await writer.removeFinalizer(node, foregroundFinalizer);
      return;
    }
    await writer.onNewest(node, (newest) => this.#decide({ ...node, object: newest }));
  }

  async #decide(node: GraphNode): Promise<void> {
    const { object } = node;
    if (isDeleting(object) || ownersOf(object).length === 0) return;
    const found = await this.#ownerships(node);
    if (found.has('impossible') || found.has('unknown')) return;
    const { graph, writer } = this.#options;
    if (found.has('solid')) {
      const gone = new Set([...(found.get('absent') ?? []), ...(found.get('waiting') ?? [])].map(({ uid }) => uid));
      if (gone.size > 0) await writer.removeOwners(node, ({ uid }) => gone.has(uid));
      return;
    }
    if (!found.has('waiting') || !graph.hasDependents(node.uid)) return this.#delete(node, policyOf(object));
    // The two wait for each other. This object stops blocking its owners, which breaks the cycle.
    const isCycle = graph.dependents(node.uid).some((dependent) => deletesInForeground(dependent.object));
    if (isCycle && (await this.#unblock(node))) return;
    return this.#delete(node, 'Foreground');
  }

  async #ownerships(node: GraphNode): Promise<Map<Ownership, OwnerReference[]>> {
    const found = new Map<Ownership, OwnerReference[]>();
    for (const reference of ownersOf(node.object)) {
      const ownership = await this.#options.owners.find(reference, node.object);
      const isElsewhere = ownership === 'absent' && this.#options.graph.get(reference.uid) !== undefined;
      if (ownership === 'impossible' || isElsewhere) this.#options.onImpossible(node, reference);
      found.set(ownership, [...(found.get(ownership) ?? []), reference]);
    }
    return found;
  }

  /** Returns false when nothing was blocked. Otherwise the update causes another check of the object. */
  async #unblock({ type, object }: GraphNode): Promise<boolean> {
    const references = ownersOf(object);
    if (!references.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) return false;
    const ownerReferences = references.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
    await this.#options.writer.patch(type, object, { ownerReferences });
    return true;
  }

  /** Deletes the object only in the state for which the decision was made. */
  async #delete({ type, object }: GraphNode, propagationPolicy: Policy): Promise<void> {
    const { namespace, name = '', uid, resourceVersion } = object.metadata;
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    const resource = this.#options.client.resource(type, namespace);
    await resource.delete(name, undefined, { propagationPolicy, preconditions });
  }
}

type Policy = NonNullable<DeleteOptions['propagationPolicy']>;

/** The propagation policy that the finalizers of the object request. */
function policyOf({ metadata: { finalizers = [] } }: ResourceObject): Policy {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
