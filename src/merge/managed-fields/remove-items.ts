import { isJsonObject, type JsonObject, setMember } from '../../meta/json-object.ts';
import type { FieldSet } from './field-set.ts';
import { type FieldTree, isInSet, isLeaf } from './field-tree.ts';
import { elementOf } from './list-elements.ts';
import { fieldElement } from './path-element.ts';
import { anyShape, entryShape, type ListShape, type Shape, type StructShape } from './shape.ts';

/**
 * Removes the fields and elements of the set with all their contents. A container that loses all its contents becomes
 * null. The result shares the remaining parts and is `object` itself when there is nothing to remove.
 */
export function removeItems<Value extends JsonObject>(shape: StructShape, object: Value, set: FieldSet): Value {
  return set.tree === undefined ? object : ((removeFrom(shape, object, set.tree) ?? {}) as Value);
}

function removeFrom(shape: Shape, value: unknown, tree: FieldTree): unknown {
  if (shape.atomic) return value;
  if (Array.isArray(value)) return shape.type === 'list' ? removeFromList(shape, value, tree) : value;
  return isJsonObject(value) && shape.type !== 'list' ? removeFromObject(shape, value, tree) : value;
}

function removeFromObject(shape: Shape, object: JsonObject, tree: FieldTree): JsonObject | null {
  const result: JsonObject = {};
  let changed = false;
  let count = 0;
  for (const key in object) {
    const value = object[key];
    if (value === undefined) continue;
    const node = tree[fieldElement(key)];
    const rest =
      node === undefined ? value : isInSet(node) ? undefined : removeFrom(memberShape(shape, key), value, node);
    if (rest !== value) changed = true;
    if (rest === undefined) continue;
    setMember(result, key, rest);
    count++;
  }
  if (!changed) return object;
  return count === 0 ? null : result;
}

function memberShape(shape: Shape, key: string): Shape {
  const field = shape.type === 'struct' ? shape.fields.get(key)?.shape : undefined;
  return field ?? entryShape(shape) ?? anyShape;
}

function removeFromList(shape: ListShape, list: readonly unknown[], tree: FieldTree): readonly unknown[] | null {
  const result: unknown[] = [];
  let changed = false;
  for (const item of list) {
    const element = elementOf(shape, item);
    const node = element === undefined ? undefined : tree[element];
    const rest = node === undefined ? item : isInSet(node) ? undefined : removeFrom(shape.items, item, node);
    if (rest !== item) changed = true;
    if (rest !== undefined) result.push(rest);
  }
  if (!changed) return list;
  return result.length === 0 ? null : result;
}

/** Keeps only the fields and elements of the set. List elements keep their key fields. */
export function extractItems(shape: StructShape, object: JsonObject, set: FieldSet): JsonObject {
  return set.tree === undefined ? {} : extractMembers(shape, object, set.tree);
}

function extractFrom(shape: Shape, value: unknown, node: FieldTree): unknown {
  if (shape.atomic) return value;
  if (Array.isArray(value)) return shape.type === 'list' ? extractElements(shape, value, node) : value;
  if (!isJsonObject(value) || shape.type === 'list') return value;
  return extractMembers(shape, value, node);
}

function extractMembers(shape: Shape, object: JsonObject, tree: FieldTree): JsonObject {
  const result: JsonObject = {};
  for (const key in object) {
    const value = object[key];
    const node = tree[fieldElement(key)];
    if (value !== undefined && node !== undefined) {
      setMember(result, key, extractFrom(memberShape(shape, key), value, node));
    }
  }
  return result;
}

function extractElements(shape: ListShape, list: readonly unknown[], tree: FieldTree): unknown[] {
  return list.flatMap((item) => {
    const element = elementOf(shape, item);
    const node = element === undefined ? undefined : tree[element];
    if (node === undefined) return [];
    const extracted = extractFrom(shape.items, item, node);
    return [isJsonObject(extracted) && isJsonObject(item) ? { ...keysOf(shape, item), ...extracted } : extracted];
  });
}

function keysOf({ elements }: ListShape, item: JsonObject): JsonObject {
  if (typeof elements === 'string') return {};
  return Object.fromEntries(elements.flatMap(({ name }) => (item[name] === undefined ? [] : [[name, item[name]]])));
}

/**
 * Adds every struct field that has paths below it to the set: the owner of a part of a struct keeps the struct in
 * place.
 */
export function withContainers(shape: Shape, tree: FieldTree | undefined): FieldTree | undefined {
  if (tree === undefined || isLeaf(tree)) return tree;
  let result: Record<string, FieldTree> | undefined;
  for (const element in tree) {
    if (element === '.') continue;
    const node = tree[element]!;
    const { inner, declared } = shapeAt(shape, element);
    let grown = inner === undefined ? node : withContainers(inner, node)!;
    if (declared && !isInSet(grown)) grown = { '.': {}, ...grown };
    if (grown === node) continue;
    result ??= { ...tree };
    result[element] = grown;
  }
  return result ?? tree;
}

function shapeAt(shape: Shape, element: string): { inner: Shape | undefined; declared: boolean } {
  if (!element.startsWith('f:')) return { inner: shape.type === 'list' ? shape.items : undefined, declared: false };
  const field = shape.type === 'struct' ? shape.fields.get(element.slice(2)) : undefined;
  // Excludes `metadata`: it identifies the object and exists regardless of who owns its fields.
  return { inner: field?.shape ?? entryShape(shape), declared: field?.tracked === 'yes' };
}
