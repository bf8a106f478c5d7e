import { foregroundFinalizer, orphanFinalizer } from '../../meta/finalizers.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';
import { type CollectedType, collectedMetadata, ownerTypeKey, typeKey } from './collected-type.ts';
import { PlacedObjects } from './placed-objects.ts';

/** An object that exists according to the events so far. */
export interface GraphNode {
  readonly uid: string;
  readonly type: CollectedType;
  readonly object: ResourceObject;
}

export interface GraphListener {
  /** The object may have to be deleted, or its finalizer removed. */
  check(uid: string): void;
  /** The dependents of the object must be released before it is deleted. */
  orphan(uid: string): void;
}

/**
 * The graph of owners and dependents, built from watch events whose order across types is arbitrary. It makes no
 * decisions and only reports which objects need a check. The cost of a change depends only on the references that it
 * changes, also for owners of thousands.
 */
export class OwnerGraph {
  readonly #listener: GraphListener;
  /** Objects that have an owner or are being deleted. */
  readonly #nodes = new Map<string, GraphNode>();
  readonly #others = new PlacedObjects();
  /** Keyed by the uid of the owner, which may not exist. */
  readonly #dependents = new Map<string, Map<string, GraphNode>>();
  /** Dependents that block the foreground deletion of their owner. */
  readonly #blocking = new Map<string, Set<string>>();
  #isComplete = false;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  get size(): number {
    return this.#nodes.size + this.#others.size;
  }

  /** For an object without owners that is not being deleted, only name, namespace and uid are known. */
  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid) ?? this.#others.get(uid);
  }

  /** The uids of all objects of a type, by `typeKey`. */
  uidsOf(key: string): Set<string> {
    const uids = new Set(this.#others.uidsOf(key));
    for (const { uid, type } of this.#nodes.values()) if (typeKey(type) === key) uids.add(uid);
    return uids;
  }

  /** Returns undefined when the owner is unknown, or name, type or namespace do not match the reference. */
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

  /**
   * Whether a dependent blocks the deletion. Dependents that are never collected do not count, because they would block
   * forever.
   */
  isBlocked(uid: string, isLeftAlone: (dependent: ResourceObject) => boolean): boolean {
    for (const dependent of this.#blocking.get(uid) ?? []) {
      const { object } = this.#nodes.get(dependent) ?? {};
      if (dependent !== uid && object !== undefined && !isLeftAlone(object)) return true;
    }
    return false;
  }

  /** All types have been listed. From now on an unknown owner may be absent, so its dependents are checked. */
  complete(): void {
    this.#isComplete = true;
    for (const node of this.#nodes.values()) if (this.#hasDoubtfulOwner(node)) this.#listener.check(node.uid);
  }

  /** Checks the dependents of owners whose type was unknown before. */
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
    const node = { uid, type, object: collectedMetadata(object) };
    this.#others.delete(uid);
    this.#nodes.set(uid, node);
    this.#unlink(before, node);
    this.#link(node);
    if (this.#hasDoubtfulOwner(node)) this.#listener.check(uid);
    this.#startDeletion(node, before);
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

  /** Checks owners that were waiting for this dependent. */
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

  /** Starts the work of an object that waits for its dependents, once. */
  #startDeletion({ uid, object }: GraphNode, before: GraphNode | undefined): void {
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

/** Whether the object waits until its dependents are deleted. */
export function deletesInForeground(object: ResourceObject): boolean {
  return isDeleting(object) && !!object.metadata.finalizers?.includes(foregroundFinalizer);
}

/** Whether the object waits until its dependents are released. */
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
