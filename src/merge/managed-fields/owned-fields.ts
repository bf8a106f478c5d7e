import { isJsonObject } from '../json-object.ts';
import { FieldSet } from './field-set.ts';
import { type FieldTree, leaf, makeNode } from './field-tree.ts';
import { indexList } from './list-elements.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { entryShape, type ListShape, type Shape, type StructShape } from './shape.ts';

/**
 * Returns the fields that an applier of this object owns: all values, list elements, map entries, and fields that are
 * explicitly null or empty. The structs around them are not owned, because managers share them.
 */
export function ownedFields(shape: StructShape, object: Readonly<Record<string, unknown>>): FieldSet {
  return FieldSet.of(membersTree(shape, object, false));
}

/** `member`: whether the node itself is owned, in addition to its contents. */
function ownedTree(shape: Shape, value: unknown, member: boolean): FieldTree | undefined {
  if (shape.atomic) return leaf;
  if (Array.isArray(value)) {
    if (shape.type === 'list') return itemsTree(shape, value, member);
    return leaf;
  }
  if (isJsonObject(value)) {
    return shape.type === 'list' ? (member ? leaf : undefined) : membersTree(shape, value, member);
  }
  // The schema does not describe the value, or allows any value.
  return shape.type === 'any' || member ? leaf : undefined;
}

function membersTree(shape: Shape, object: Readonly<Record<string, unknown>>, member: boolean): FieldTree | undefined {
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  for (const key in object) {
    const value = object[key];
    if (value === undefined) continue;
    const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
    if (field?.tracked === 'no') continue;
    const element = field === undefined ? fieldElement(key) : field.element;
    const inner = field === undefined ? entryShape(shape) : field.shape;
    if (inner === undefined) continue;
    const child = ownedTree(inner, value, field === undefined || (field.tracked === 'yes' && isEmptyValue(value)));
    if (child === undefined) continue;
    elements.push(element);
    nodes.push(child);
  }
  return makeNode(elements, nodes, member);
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

function itemsTree(shape: ListShape, list: readonly unknown[], member: boolean): FieldTree | undefined {
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  for (const [element, items] of indexList(shape, list)) {
    elements.push(element);
    nodes.push(items.length > 1 ? leaf : ownedTree(shape.items, items[0], true)!);
  }
  return makeNode(elements, nodes, member);
}
