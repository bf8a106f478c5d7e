import { isJsonObject } from '../../meta/json-object.ts';
import { ownMember } from './own-member.ts';
import { addToCache, keyElement, type PathElement, valueElement } from './path-element.ts';
import type { KeyField, ListShape } from './shape.ts';

/** Returns the path element of a list item. Undefined when the item has none of the keys or cannot be in a set. */
export function elementOf({ elements }: ListShape, item: unknown): PathElement | undefined {
  if (elements === 'set') return typeof item === 'object' || item === undefined ? undefined : valueElement(item);
  if (elements === 'atomic' || !isJsonObject(item)) return undefined;
  return elements.length === 1 ? singleKey(elements[0]!, item) : severalKeys(elements, item);
}

/** An explicit null is a value, even for a key with a default. */
function keyValue({ name, default: fallback }: KeyField, item: Record<string, unknown>): unknown {
  const own = ownMember(item, name);
  return own === undefined ? fallback : own;
}

const singleKeys = new Map<string, Map<unknown, PathElement>>();

function singleKey(key: KeyField, item: Record<string, unknown>): PathElement | undefined {
  const value = keyValue(key, item);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return keyElement([[key.name, value]]);
  let known = singleKeys.get(key.name);
  if (known === undefined) {
    known = new Map();
    addToCache(singleKeys, key.name, known);
  }
  let element = known.get(value);
  if (element === undefined) {
    element = keyElement([[key.name, value]]);
    addToCache(known, value, element);
  }
  return element;
}

function severalKeys(keys: readonly KeyField[], item: Record<string, unknown>): PathElement | undefined {
  const fields: [string, unknown][] = [];
  for (const key of keys) {
    const value = keyValue(key, item);
    if (value !== undefined) fields.push([key.name, value]);
  }
  return fields.length === 0 ? undefined : keyElement(fields);
}

/** Returns whether two items have the same path element. Cheaper than computing both. */
export function haveSameName({ elements }: ListShape, left: unknown, right: unknown): boolean {
  if (elements === 'set') return left === right;
  if (elements === 'atomic' || !isJsonObject(left) || !isJsonObject(right)) return false;
  for (const key of elements) {
    if (keyValue(key, left) !== keyValue(key, right)) return false;
  }
  return true;
}

/**
 * Groups the items of a list by path element, in list order. Duplicates are grouped together. Items without a path
 * element are omitted.
 */
export function indexList(shape: ListShape, list: readonly unknown[]): Map<PathElement, unknown[]> {
  const index = new Map<PathElement, unknown[]>();
  for (const item of list) addItem(index, shape, item);
  return index;
}

function addItem(index: Map<PathElement, unknown[]>, shape: ListShape, item: unknown): void {
  const element = elementOf(shape, item);
  if (element === undefined) return;
  const items = index.get(element);
  if (items === undefined) index.set(element, [item]);
  else items.push(item);
}
