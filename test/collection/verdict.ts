import type { OwnerReference, ResourceObject } from '../../src/meta/object.ts';
import type { Family, Member } from './family.ts';

type Present = ReadonlyMap<string, ResourceObject>;

/** Whether the reference of an object in this namespace leads to something that is there. */
function leadsTo(present: Present, { uid, kind, name }: OwnerReference, namespace: string): boolean {
  const owner = present.get(uid);
  if (owner === undefined || owner.kind !== kind || owner.metadata.name !== name) return false;
  return owner.metadata.namespace === undefined || owner.metadata.namespace === namespace;
}

/** An object without a namespace whose owner would have one: nobody can tell where that is, so it is left alone. */
function isLeftAlone({ kind }: Pick<ResourceObject, 'kind'>, references: readonly OwnerReference[]): boolean {
  return kind === 'ClusterRole' && references.some((reference) => reference.kind !== 'ClusterRole');
}

/** What is still to be done. Nothing, once the collector has had its time. */
export function unfinished(present: Present): string[] {
  return Array.from(present.values()).flatMap((object) => {
    const { name, namespace = '', deletionTimestamp, finalizers, ownerReferences = [] } = object.metadata;
    if (deletionTimestamp !== undefined) return [`${object.kind} ${name} is still going: ${finalizers}`];
    if (isLeftAlone(object, ownerReferences)) return [];
    const gone = ownerReferences.filter((reference) => !leadsTo(present, reference, namespace));
    return gone.map((reference) => `${object.kind} ${name} still belongs to ${reference.kind} ${reference.name}`);
  });
}

/** What should not have happened. */
export function violations({ members }: Family, present: Present): string[] {
  return Array.from(members.values()).flatMap((member) => {
    const { kind, name, uid, deletions } = member;
    const isThere = present.has(uid);
    if (deletions.length > 0) return isThere ? [`${kind} ${name} was deleted and is there`] : [];
    if (isThere) return [];
    const reason = innocence(member, members, present);
    return reason === undefined ? [] : [`${kind} ${name} was collected although ${reason}`];
  });
}

/** Why an object that nobody has deleted should be there; undefined when it had lost all that it belonged to. */
function innocence(member: Member, members: ReadonlyMap<string, Member>, present: Present): string | undefined {
  const { owners, namespace } = member;
  if (owners.length === 0) return 'it belonged to nobody';
  // Whoever deletes an owner without its dependents frees them also from an impossible one.
  const kept = owners.filter((owner) => !members.get(owner.uid)?.deletions.includes('Orphan'));
  if (isLeftAlone(member, kept)) return 'it had an impossible owner';
  const alive = owners.find((owner) => leadsTo(present, owner, namespace));
  if (alive !== undefined) return `its owner ${alive.name} is there`;
  const [owner] = owners;
  const known = members.get(owner!.uid);
  if (owners.length > 1 || known === undefined || !isReachable(known, owner!, namespace)) return undefined;
  const isOrphaned = known.deletions.length > 0 && known.deletions.every((policy) => policy === 'Orphan');
  return isOrphaned && member.madeAt < known.orphanedAt! ? 'its owner was deleted without it' : undefined;
}

function isReachable(owner: Member, reference: OwnerReference, namespace: string): boolean {
  return owner.name === reference.name && (owner.namespace === '' || owner.namespace === namespace);
}
