import { foregroundFinalizer, orphanFinalizer } from '../../meta/finalizers.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';
import { type CollectedType, collectedPart, ownerTypeKey, typeKey } from './collected-type.ts';
import { PlacedObjects } from './placed-objects.ts';

/** An object that exists, as far as is known. */
export interface GraphNode {
  readonly uid: string;
  readonly type: CollectedType;
  readonly object: ResourceObject;
}

export interface GraphListener {
  /** The object may have to go, or to be let go. */
  check(uid: string): void;
  /** The dependents of the object are to be released before it goes. */
  orphan(uid: string): void;
}

/**
 * Who owns whom, as told by events that come in any order between types. It decides nothing: it says which objects are worth a
 * look. Every change costs as much as it touches, so that an owner of thousands is no special case.
 */
export class OwnerGraph {
  readonly #listener: GraphListener;
  /** The objects that have an owner or are being deleted. */
  readonly #nodes = new Map<string, GraphNode>();
  readonly #others = new PlacedObjects();
  /** By the uid of the owner, which need not exist. */
  readonly #dependents = new Map<string, Map<string, GraphNode>>();
  /** Those among them for which an owner that is deleted in the foreground waits. */
  readonly #blocking = new Map<string, Set<string>>();
  #isComplete = false;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  get size(): number {
    return this.#nodes.size + this.#others.size;
  }

  /** Of an object that belongs to nobody and is not being deleted: its name, namespace and uid. */
  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid) ?? this.#others.get(uid);
  }

  /** All objects of a type, by `typeKey`. */
  uidsOf(key: string): Set<string> {
    const uids = new Set(this.#others.uidsOf(key));
    for (const { uid, type } of this.#nodes.values()) if (typeKey(type) === key) uids.add(uid);
    return uids;
  }

  /** Undefined when it is not known, or is not where the reference of this dependent leads to. */
  owner({ uid, name, ...type }: OwnerReference, dependent: ResourceObject): GraphNode | undefined {
    const key = ownerTypeKey(type);
    const owner = this.#nodes.get(uid) ?? this.#others.get(uid, key);
    if (owner === undefined || name !== owner.object.metadata.name) return undefined;
    if (key !== typeKey(owner.type)) return undefined;
    return owner.type.namespaced && owner.object.metadata.namespace !== dependent.metadata.namespace
      ? undefined
      : owner;
  }

  hasDependents(uid: string): boolean {
    return this.#dependents.has(uid);
  }

  dependents(uid: string): IteratorObject<GraphNode> {
    return (this.#dependents.get(uid) ?? new Map<string, GraphNode>()).values();
  }

  /** Whether any other object holds this one back. One that nobody will ever collect does not: it would do so for ever. */
  isBlocked(uid: string, isLeftAlone: (dependent: ResourceObject) => boolean): boolean {
    for (const dependent of this.#blocking.get(uid) ?? []) {
      const { object } = this.#nodes.get(dependent) ?? {};
      if (dependent !== uid && object !== undefined && !isLeftAlone(object)) return true;
    }
    return false;
  }

  /** Everything has been told at least once: from here on an owner that is not known is worth a look. */
  complete(): void {
    this.#isComplete = true;
    for (const node of this.#nodes.values()) if (this.#hasDoubtfulOwner(node)) this.#listener.check(node.uid);
  }

  /** Owners of a type that was not known before may be found now. */
  recheck(isDoubtful: (reference: OwnerReference) => boolean): void {
    for (const { uid, object } of this.#nodes.values())
      if (ownersOf(object).some(isDoubtful)) this.#listener.check(uid);
  }

  put(type: CollectedType, object: ResourceObject): void {
    const { uid = '' } = object.metadata;
    const before = this.#nodes.get(uid);
    if (ownersOf(object).length === 0 && !isDeleting(object)) {
      this.#others.put(type, object);
      this.#nodes.delete(uid);
      this.#unlink(before, { uid, type, object });
      return;
    }
    const node = { uid, type, object: collectedPart(object) };
    this.#others.delete(uid);
    this.#nodes.set(uid, node);
    this.#unlink(before, node);
    this.#link(node);
    if (this.#hasDoubtfulOwner(node)) this.#listener.check(uid);
    this.#begin(node, before);
  }

  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined && !this.#others.delete(uid)) return;
    this.#nodes.delete(uid);
    this.#unlink(node);
    for (const dependent of this.dependents(uid)) this.#listener.check(dependent.uid);
  }

  #link(node: GraphNode): void {
    for (const { uid, blockOwnerDeletion } of ownersOf(node.object)) {
      const dependents = this.#dependents.get(uid) ?? new Map<string, GraphNode>();
      dependents.set(node.uid, node);
      this.#dependents.set(uid, dependents);
      if (!blockOwnerDeletion) continue;
      const blocking = this.#blocking.get(uid) ?? new Set<string>();
      this.#blocking.set(uid, blocking.add(node.uid));
    }
  }

  /** Owners that waited for what is no longer so are worth a look. */
  #unlink(before: GraphNode | undefined, now?: GraphNode): void {
    if (before === undefined) return;
    for (const { uid } of ownersOf(before.object)) {
      const references = now === undefined ? [] : ownersOf(now.object).filter((reference) => reference.uid === uid);
      if (references.length === 0) deleteFrom(this.#dependents, uid, before.uid);
      if (references.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) continue;
      if (!deleteFrom(this.#blocking, uid, before.uid)) continue;
      const owner = this.#nodes.get(uid);
      if (owner !== undefined && deletesInForeground(owner.object)) this.#listener.check(uid);
    }
  }

  #hasDoubtfulOwner({ object }: GraphNode): boolean {
    return ownersOf(object).some((reference) => {
      const owner = this.owner(reference, object);
      return owner === undefined ? this.#isComplete : deletesInForeground(owner.object);
    });
  }

  /** What an object that waits for its dependents begins with, once. */
  #begin({ uid, object }: GraphNode, before: GraphNode | undefined): void {
    const starts = (waits: (state: ResourceObject) => boolean): boolean =>
      waits(object) && (before === undefined || !waits(before.object));
    if (starts(orphansDependents)) this.#listener.orphan(uid);
    if (!starts(deletesInForeground)) return;
    this.#listener.check(uid);
    for (const dependent of this.dependents(uid)) this.#listener.check(dependent.uid);
  }
}

export function ownersOf({ metadata }: ResourceObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

export function isDeleting({ metadata }: ResourceObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** It waits until its dependents are gone. */
export function deletesInForeground(object: ResourceObject): boolean {
  return isDeleting(object) && !!object.metadata.finalizers?.includes(foregroundFinalizer);
}

/** It waits until its dependents are released. */
export function orphansDependents(object: ResourceObject): boolean {
  return isDeleting(object) && !!object.metadata.finalizers?.includes(orphanFinalizer);
}

interface Emptiable {
  readonly size: number;
  delete(key: string): boolean;
}

function deleteFrom<T extends Emptiable>(all: Map<string, T>, key: string, item: string): boolean {
  const items = all.get(key);
  const deleted = items?.delete(item) ?? false;
  if (items?.size === 0) all.delete(key);
  return deleted;
}
