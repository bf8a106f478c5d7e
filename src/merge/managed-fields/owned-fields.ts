import { isJsonObject } from '../../meta/json-object.ts';
import { FieldSet } from './field-set.ts';
import { type FieldTree, leaf, type Membership, makeNode } from './field-tree.ts';
import { indexList } from './list-elements.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { entryShape, type ListShape, type Shape, type StructShape } from './shape.ts';

/**
 * Returns the fields that an applier of this object owns: all values, list elements, map entries, and fields that are
 * explicitly null or empty. The structs around them are not owned, because managers share them.
 */
export function ownedFields(shape: StructShape, object: Readonly<Record<string, unknown>>): FieldSet {
  return FieldSet.of(membersTree(shape, object, 'children only'));
}

function ownedTree(shape: Shape, value: unknown, membership: Membership): FieldTree | undefined {
  if (shape.atomic) return leaf;
  if (Array.isArray(value)) {
    if (shape.type === 'list') return itemsTree(shape, value, membership);
    return leaf;
  }
  if (isJsonObject(value)) {
    return shape.type === 'list' ? (membership === 'member' ? leaf : undefined) : membersTree(shape, value, membership);
  }
  // The schema does not describe the value, or allows any value.
  return shape.type === 'any' || membership === 'member' ? leaf : undefined;
}

function membersTree(
  shape: Shape,
  object: Readonly<Record<string, unknown>>,
  membership: Membership,
): FieldTree | undefined {
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  for (const key in object) {
    const found = ownedMember(shape, key, object[key]);
    const child = found && ownedTree(found.shape, object[key], found.membership);
    if (child === undefined) continue;
    elements.push(found!.element);
    nodes.push(child);
  }
  return makeNode(elements, nodes, membership);
}

interface OwnedMember {
  readonly element: PathElement;
  readonly shape: Shape;
  readonly membership: Membership;
}

/** Returns undefined when nobody owns the member. */
function ownedMember(shape: Shape, key: string, value: unknown): OwnedMember | undefined {
  if (value === undefined) return undefined;
  const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
  if (field === undefined) {
    const entry = entryShape(shape);
    return entry && { element: fieldElement(key), shape: entry, membership: 'member' };
  }
  if (field.tracked === 'no') return undefined;
  const isMember = field.tracked === 'yes' && isEmptyValue(value);
  return { element: field.element, shape: field.shape, membership: isMember ? 'member' : 'children only' };
}

/** Returns whether the value is null or an object without members. */
export function isEmptyValue(value: unknown): boolean {
  if (value === null) return true;
  if (!isJsonObject(value)) return false;
  for (const key in value) {
    if (value[key] !== undefined) return false;
  }
  return true;
}

function itemsTree(shape: ListShape, list: readonly unknown[], membership: Membership): FieldTree | undefined {
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  for (const [element, items] of indexList(shape, list)) {
    elements.push(element);
    nodes.push(items.length > 1 ? leaf : ownedTree(shape.items, items[0], 'member')!);
  }
  return makeNode(elements, nodes, membership);
}
