import { isJsonObject } from '../../meta/json-object.ts';
import { explicitEmptyFields, hasExplicitEmpty, isMarkedExplicitEmpty } from '../../schema/explicit-empty.ts';
import { FieldDraft } from './field-draft.ts';
import { FieldSet } from './field-set.ts';
import { indexList } from './list-elements.ts';
import { ownMember } from './own-member.ts';
import { fieldElement, type PathElement, self } from './path-element.ts';
import { sameValue } from './same-value.ts';
import { anyShape, entryShape, type ListShape, type Shape, type StructShape } from './shape.ts';
import { maxStepsPerObject, type TreeWalk, wholeTree } from './whole-tree.ts';

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
  /** Whether a changed list has an item that nothing identifies. */
  readonly hasNameless: boolean;
}

const nothing: Comparison = {
  added: FieldSet.empty,
  modified: FieldSet.empty,
  removed: FieldSet.empty,
  hasNameless: false,
};

/**
 * Compares two values. Lists every added or removed node: containers as well as their contents. Skips parts that both
 * values share by identity.
 */
export function compare(
  shape: StructShape,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Comparison {
  if (before === after) return nothing;
  const walk: Walk = {
    path: [],
    added: new FieldDraft(),
    modified: new FieldDraft(),
    removed: new FieldDraft(),
    hasEmpty: isMarkedExplicitEmpty(after),
    hasNameless: false,
    stepsLeft: maxStepsPerObject,
  };
  compareMembers(shape, before, after, walk);
  const { added, modified, removed, hasNameless } = walk;
  return { added: added.finish(), modified: modified.finish(), removed: removed.finish(), hasNameless };
}

interface Walk extends TreeWalk {
  path: PathElement[];
  readonly added: FieldDraft;
  readonly modified: FieldDraft;
  readonly removed: FieldDraft;
  /** Whether the object has information about empty lists or maps of the request. */
  readonly hasEmpty: boolean;
}

function compareValue(shape: Shape, before: unknown, after: unknown, walk: Walk): void {
  if (before === after) return;
  if (shape.atomic) {
    if (!sameValue(shape, before, after) || (walk.hasEmpty && hasExplicitEmpty(after))) walk.modified.insert(walk.path);
  } else if (shape.type === 'list') {
    compareLists(shape, before, after, walk);
  } else if (isObjectOrNull(before) && isObjectOrNull(after)) {
    compareObjects(shape, before, after, walk);
  } else {
    // The type of the value changed. Everything below the old and the new value was removed or added with it.
    if (!sameValue(shape, before, after)) walk.modified.insert(walk.path);
    if (isJsonObject(before)) attachMembers(walk.removed, shape, before, walk);
    if (isJsonObject(after)) attachMembers(walk.added, shape, after, walk);
  }
}

function isObjectOrNull(value: unknown): value is Record<string, unknown> | null {
  return value === null || isJsonObject(value);
}

const none: Record<string, unknown> = {};

function compareObjects(
  shape: Shape,
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
  walk: Walk,
): void {
  const haveMembers = compareMembers(shape, before ?? none, after ?? none, walk);
  // Empty and null differ, but neither has contents to compare.
  if (!haveMembers && (before === null || after === null)) walk.modified.insert(walk.path);
}

/** Returns whether one of the objects has members. */
function compareMembers(
  shape: Shape,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  walk: Walk,
): boolean {
  let haveMembers = false;
  for (const key in before) {
    const value = before[key];
    if (value === undefined) continue;
    haveMembers = true;
    compareMember(key, { shape, before: value, after: ownMember(after, key) }, walk);
  }
  for (const key in after) {
    const value = after[key];
    if (value === undefined) continue;
    haveMembers = true;
    if (ownMember(before, key) === undefined) compareMember(key, { shape, before: undefined, after: value }, walk);
  }
  if (walk.hasEmpty) for (const key of explicitEmptyFields(after)) compareEmpty(key, { shape, before, after }, walk);
  return haveMembers;
}

/** An empty list or map and null are different values of a field that is always written. */
function compareEmpty(key: string, { shape, before, after }: ObjectPair, walk: Walk): void {
  const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
  if (field?.tracked !== 'yes' || after[key] !== null || ownMember(before, key) !== null) return;
  walk.modified.insert([...walk.path, field.element]);
}

interface ObjectPair {
  readonly shape: Shape;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

interface Pair {
  /** The shape of the object that contains both values. */
  readonly shape: Shape;
  readonly before: unknown;
  readonly after: unknown;
}

function compareMember(key: string, { shape, before, after }: Pair, walk: Walk): void {
  if (before === after) return;
  const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
  if (field?.tracked === 'no') return;
  const inner = field === undefined ? (entryShape(shape) ?? anyShape) : field.shape;
  walk.path.push(field === undefined ? fieldElement(key) : field.element);
  comparePresence(inner, before, after, walk);
  walk.path.pop();
}

function comparePresence(shape: Shape, before: unknown, after: unknown, walk: Walk): void {
  if (before === undefined) attach(walk.added, shape, after, walk);
  else if (after === undefined) attach(walk.removed, shape, before, walk);
  else compareValue(shape, before, after, walk);
}

function compareLists(shape: ListShape, before: unknown, after: unknown, walk: Walk): void {
  const old = Array.isArray(before) ? before : [];
  const fresh = Array.isArray(after) ? after : [];
  if (old.length === 0 && fresh.length === 0) {
    if (!sameValue(shape, before, after)) walk.modified.insert(walk.path);
    return;
  }
  // Most lists are unchanged, and computing the names of their elements is expensive.
  if (sameValue(shape, old, fresh)) return;
  const oldItems = indexList(shape, old);
  const freshItems = indexList(shape, fresh);
  noteNameless({ list: old, index: oldItems }, walk);
  noteNameless({ list: fresh, index: freshItems }, walk);
  for (const [element, items] of oldItems)
    compareItems(element, { shape, before: items, after: freshItems.get(element) }, walk);
  for (const [element, items] of freshItems) {
    if (!oldItems.has(element)) compareItems(element, { shape, before: undefined, after: items }, walk);
  }
}

interface ItemPair {
  readonly shape: ListShape;
  readonly before: readonly unknown[] | undefined;
  readonly after: readonly unknown[] | undefined;
}

/** Compares duplicate elements as a single value, because they cannot be distinguished. */
function compareItems(element: PathElement, { shape, before = [], after = [] }: ItemPair, walk: Walk): void {
  walk.path.push(element);
  const wasMany = before.length > 1;
  const isMany = after.length > 1;
  if (!wasMany && !isMany) {
    comparePresence(shape.items, before[0], after[0], walk);
  } else if (wasMany && isMany) {
    if (!sameValue(shape, before, after)) walk.modified.insert(walk.path);
  } else if (wasMany) {
    if (after.length > 0) attach(walk.added, shape.items, after[0], walk);
    walk.removed.insert(walk.path);
  } else {
    if (before.length > 0) attach(walk.removed, shape.items, before[0], walk);
    walk.added.insert(walk.path);
  }
  walk.path.pop();
}

function attach(draft: FieldDraft, shape: Shape, value: unknown, walk: Walk): void {
  draft.attach(walk.path, wholeTree(shape, value, walk));
}

function attachMembers(draft: FieldDraft, shape: Shape, object: Record<string, unknown>, walk: Walk): void {
  const tree = wholeTree(shape, object, walk);
  for (const element in tree) {
    if (element !== self) draft.attach([...walk.path, element], tree[element]!);
  }
}

interface IndexedList {
  readonly list: readonly unknown[];
  readonly index: ReadonlyMap<PathElement, readonly unknown[]>;
}

function noteNameless({ list, index }: IndexedList, walk: Walk): void {
  let count = 0;
  for (const items of index.values()) count += items.length;
  if (count < list.length) walk.hasNameless = true;
}
