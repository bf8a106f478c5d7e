import type { OwnerReference, ResourceObject } from '../../src/meta/object.ts';
import type { OwnedObject, OwnershipGraph } from './ownership-graph.ts';

type Present = ReadonlyMap<string, ResourceObject>;

/** Whether the reference of an object in this namespace refers to an existing object. */
function resolves(present: Present, { uid, kind, name }: OwnerReference, namespace: string): boolean {
  const owner = present.get(uid);
  if (owner === undefined || owner.kind !== kind || owner.metadata.name !== name) return false;
  return owner.metadata.namespace === undefined || owner.metadata.namespace === namespace;
}

/**
 * Whether the object is cluster-scoped but has a namespaced owner. The namespace of the owner is unknown, so the
 * collector ignores the object.
 */
function isIgnored({ kind }: Pick<ResourceObject, 'kind'>, references: readonly OwnerReference[]): boolean {
  return kind === 'ClusterRole' && references.some((reference) => reference.kind !== 'ClusterRole');
}

/** Returns the remaining work of the collector. Empty when it has finished. */
export function pendingWork(present: Present): string[] {
  return Array.from(present.values()).flatMap((object) => {
    const { name, namespace = '', deletionTimestamp, finalizers, ownerReferences = [] } = object.metadata;
    if (deletionTimestamp !== undefined) return [`${object.kind} ${name} is still going: ${finalizers}`];
    if (isIgnored(object, ownerReferences)) return [];
    const gone = ownerReferences.filter((reference) => !resolves(present, reference, namespace));
    return gone.map((reference) => `${object.kind} ${name} still belongs to ${reference.kind} ${reference.name}`);
  });
}

/** Returns the objects that exist but should not, and the objects that should exist but do not. */
export function violations({ objects }: OwnershipGraph, present: Present): string[] {
  return Array.from(objects.values()).flatMap((object) => {
    const { kind, name, uid, deletions } = object;
    const isThere = present.has(uid);
    if (deletions.length > 0) return isThere ? [`${kind} ${name} was deleted and is there`] : [];
    if (isThere) return [];
    const reason = reasonToExist(object, objects, present);
    return reason === undefined ? [] : [`${kind} ${name} was collected although ${reason}`];
  });
}

/** Returns why an object that no client deleted should exist, or undefined if it has lost all its owners. */
function reasonToExist(
  object: OwnedObject,
  objects: ReadonlyMap<string, OwnedObject>,
  present: Present,
): string | undefined {
  const { owners, namespace } = object;
  if (owners.length === 0) return 'it belonged to nobody';
  // Deleting an owner with the policy Orphan removes the reference to it, even if it is an impossible owner.
  const kept = owners.filter((owner) => !objects.get(owner.uid)?.deletions.includes('Orphan'));
  if (isIgnored(object, kept)) return 'it had an impossible owner';
  const alive = owners.find((owner) => resolves(present, owner, namespace));
  if (alive !== undefined) return `its owner ${alive.name} is there`;
  const [owner] = owners;
  const known = objects.get(owner!.uid);
  if (owners.length > 1 || known === undefined || !isReachable(known, owner!, namespace)) return undefined;
  const isOrphaned = known.deletions.length > 0 && known.deletions.every((policy) => policy === 'Orphan');
  if (!isOrphaned || object.createdAt > known.orphanedAt!) return undefined;
  // If the owner itself has lost its owners, the collector may have started to delete it together with its dependents.
  const isKeptByCollector = reasonToExist(known, objects, present) !== undefined;
  return isKeptByCollector ? 'its owner was deleted without it' : undefined;
}

function isReachable(owner: OwnedObject, reference: OwnerReference, namespace: string): boolean {
  return owner.name === reference.name && (owner.namespace === '' || owner.namespace === namespace);
}
