import { isJsonObject } from '../../meta/json-object.ts';
import { isValid } from './check-applied.ts';
import type { FieldSet } from './field-set.ts';
import { type FieldTree, isLeaf, type Membership } from './field-tree.ts';
import { elementOf } from './list-elements.ts';
import { isEmptyValue } from './owned-fields.ts';
import { fieldElement, type PathElement, self } from './path-element.ts';
import { entryShape, type ListShape, type Shape, type StructShape } from './shape.ts';

/**
 * Returns whether an object is valid and its `ownedFields` equal this set. A repeated apply mostly has the same fields,
 * and this check detects it in one walk, without building a tree.
 */
export function ownsExactly(
  shape: StructShape,
  object: Readonly<Record<string, unknown>>,
  { tree }: FieldSet,
): boolean {
  return tree !== undefined && membersMatch(shape, object, { tree, membership: 'children only' });
}

interface Expectation {
  readonly tree: FieldTree;
  readonly membership: Membership;
}

function valueMatches(shape: Shape, value: unknown, expected: Expectation): boolean {
  const { tree, membership } = expected;
  if (shape.atomic) return isLeaf(tree) && isValid(shape, value);
  if (Array.isArray(value) && shape.type === 'list') return itemsMatch(shape, value, expected);
  if (isJsonObject(value) && shape.type !== 'list') return membersMatch(shape, value, expected);
  return (shape.type === 'any' || (value === null && membership === 'member')) && isLeaf(tree);
}

function membersMatch(
  shape: Shape,
  object: Readonly<Record<string, unknown>>,
  { tree, membership }: Expectation,
): boolean {
  let count = 0;
  for (const key in object) {
    const value = object[key];
    if (value === undefined) continue;
    const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
    const inner = field === undefined ? entryShape(shape) : field.shape;
    if (inner === undefined) return false;
    if (field?.tracked === 'no') {
      if (!isValid(inner, value)) return false;
      continue;
    }
    const node = tree[field === undefined ? fieldElement(key) : field.element];
    const isMember = field === undefined || (field.tracked === 'yes' && isEmptyValue(value));
    if (node === undefined) {
      if (isMember || ownsSomething(inner, value) || !isValid(inner, value)) return false;
    } else {
      if (!valueMatches(inner, value, { tree: node, membership: isMember ? 'member' : 'children only' })) return false;
      count++;
    }
  }
  return hasExactly(tree, count, membership);
}

/** Returns whether a value that is not a member of the set owns any field. Only empty objects and lists own nothing. */
function ownsSomething(shape: Shape, value: unknown): boolean {
  if (shape.atomic) return true;
  if (Array.isArray(value)) return shape.type !== 'list' || value.length > 0;
  if (!isJsonObject(value) || shape.type === 'list') return shape.type === 'any';
  for (const key in value) {
    const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
    if (value[key] !== undefined && field?.tracked !== 'no') return true;
  }
  return false;
}

function itemsMatch(shape: ListShape, list: readonly unknown[], { tree, membership }: Expectation): boolean {
  const seen = list.length < 2 ? undefined : new Set<PathElement>();
  for (const item of list) {
    const element = elementOf(shape, item);
    const node = element === undefined ? undefined : tree[element];
    if (node === undefined || !valueMatches(shape.items, item, { tree: node, membership: 'member' })) return false;
    seen?.add(element!);
  }
  // Duplicates are invalid.
  if (seen !== undefined && seen.size < list.length) return false;
  return hasExactly(tree, list.length, membership);
}

function hasExactly(tree: FieldTree, count: number, membership: Membership): boolean {
  const isMember = membership === 'member';
  if (count === 0) return isMember && isLeaf(tree);
  let left = count;
  for (const element in tree) {
    if (element !== self) left--;
    else if (!isMember) return false;
  }
  return left === 0 && (!isMember || tree[self] !== undefined);
}
