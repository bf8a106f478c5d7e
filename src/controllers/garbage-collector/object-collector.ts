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
  /** Hears of an owner that an object cannot have, because it lives in another namespace. */
  readonly onImpossible: (node: GraphNode, reference: OwnerReference) => void;
}

/** Decides about one object at a time: whether it goes, stays, or loses owners that are gone. */
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
    // Both wait for the other: the object that is looked at lets go, so that the circle opens.
    const circle = graph.dependents(node.uid).some((dependent) => deletesInForeground(dependent.object));
    if (circle && (await this.#unblock(node))) return;
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

  /** False when nothing was blocked. Otherwise the change makes the object worth another look. */
  async #unblock({ type, object }: GraphNode): Promise<boolean> {
    const references = ownersOf(object);
    if (!references.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) return false;
    const ownerReferences = references.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
    await this.#options.writer.patch(type, object, { ownerReferences });
    return true;
  }

  /** Exactly the object that was decided about, as it was then. */
  async #delete({ type, object }: GraphNode, propagationPolicy: Policy): Promise<void> {
    const { namespace, name = '', uid, resourceVersion } = object.metadata;
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    const resource = this.#options.client.resource(type, namespace);
    await resource.delete(name, undefined, { propagationPolicy, preconditions });
  }
}

type Policy = NonNullable<DeleteOptions['propagationPolicy']>;

/** What the object itself says about its own dependents. */
function policyOf({ metadata: { finalizers = [] } }: ResourceObject): Policy {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
