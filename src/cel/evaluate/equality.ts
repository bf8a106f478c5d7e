import { CelError, noSuchOverload } from '../cel-error.ts';
import { spend } from '../work.ts';
import {
  Duration,
  ListValue,
  MapValue,
  MessageValue,
  OpaqueValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from './values.ts';

const maxDepth = 500;

/**
 * Whether two values are equal. Numbers compare by value across types, an integer and a double as doubles. Values of
 * other types that differ are not equal.
 */
export function areEqual(left: unknown, right: unknown, depth = 0): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    spend(Math.min(left.length, right.length) / 100);
    return left === right;
  }
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) return typeof a === typeof b ? a === b : Number(a) === Number(b);
  if (left === right) return typeof left !== 'number';
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (depth > maxDepth) throw new CelError(`values are nested deeper than ${maxDepth} levels`);
  spend(1);
  if (left instanceof ListValue) return right instanceof ListValue && areListsEqual(left, right, depth);
  if (left instanceof MapValue) {
    return right instanceof MapValue && isSameMessage(left, right) && areMapsEqual(left, right, depth);
  }
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  if (left instanceof Duration) return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof OpaqueValue) {
    return right instanceof OpaqueValue && left.typeName === right.typeName && left.equals(right);
  }
  if (left instanceof Optional) {
    if (!(right instanceof Optional)) return false;
    if (left.value === undefined || right.value === undefined) return left.value === right.value;
    return areEqual(left.value, right.value, depth + 1);
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  return false;
}

function numberOf(value: unknown): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
}

function areListsEqual(left: ListValue, right: ListValue, depth: number): boolean {
  if (left.length !== right.length) return false;
  const semantics = left.semantics ?? right.semantics;
  if (semantics?.listType === 'set') return left.toArray().every((item) => indexIn(right, item, depth) >= 0);
  if (semantics?.listType === 'map') {
    const keys = semantics.listKeys ?? [];
    const others = byKeys(right, keys);
    return left.toArray().every((item) => {
      const other = others.get(keyOf(item, keys));
      return other !== undefined && areEqual(item, other, depth + 1);
    });
  }
  for (let index = 0; index < left.length; index++) {
    if (!areEqual(left.get(index), right.get(index), depth + 1)) return false;
  }
  return true;
}

/** Constructed objects only equal those of the same type. */
function isSameMessage(left: MapValue, right: MapValue): boolean {
  const isMessage = left instanceof MessageValue || right instanceof MessageValue;
  return !isMessage || left.typeName === right.typeName;
}

function areMapsEqual(left: MapValue, right: MapValue, depth: number): boolean {
  const keys = left.keys();
  if (keys.length !== right.size) return false;
  for (const key of keys) {
    const other = right.find(key);
    if (other === undefined || !areEqual(left.find(key), other, depth + 1)) return false;
  }
  return true;
}

/** The index of the first equal item, or -1. */
export function indexIn(list: ListValue, value: unknown, depth = 0): number {
  for (let index = 0; index < list.length; index++) {
    spend(0.1);
    if (areEqual(list.get(index), value, depth + 1)) return index;
  }
  return -1;
}

/** Appends lists as their list type says: a set to a union, a map by replacing entries with the same keys. */
export function concatLists(left: ListValue, right: ListValue): ListValue {
  const { semantics } = left;
  spend(1 + right.length);
  if (semantics === undefined) return left.concat(right);
  const items = left.toArray();
  if (semantics.listType === 'set') {
    for (const item of right) if (indexIn(left, item) < 0) items.push(item);
    return new ListValue(items, { semantics });
  }
  const keys = semantics.listKeys ?? [];
  const places = new Map(items.map((item, index) => [keyOf(item, keys), index]));
  for (const item of right) {
    const index = places.get(keyOf(item, keys));
    if (index === undefined) items.push(item);
    else items[index] = item;
  }
  return new ListValue(items, { semantics });
}

function byKeys(list: ListValue, keys: readonly string[]): Map<string, unknown> {
  return new Map(list.toArray().map((item) => [keyOf(item, keys), item]));
}

function keyOf(item: unknown, keys: readonly string[]): string {
  if (!(item instanceof MapValue)) return '';
  return JSON.stringify(keys.map((key) => String(item.find(key) ?? null)));
}

/** Negative, zero or positive. Throws when the values have no order. */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  const [a, b] = [orderedNumber(left), orderedNumber(right)];
  if (a !== undefined && b !== undefined && canCompare(left, right)) {
    return typeof a === typeof b ? compareNumbers(a, b) : compareNumbers(Number(a), Number(b));
  }
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  throw noSuchOverload();
}

function compareNumbers(left: bigint | number, right: bigint | number): number {
  if (Number.isNaN(left) || Number.isNaN(right)) throw new CelError('NaN values cannot be ordered');
  return left < right ? -1 : left > right ? 1 : 0;
}

function orderedNumber(value: unknown): bigint | number | undefined {
  return value instanceof Timestamp || value instanceof Duration ? value.nanoseconds : numberOf(value);
}

function canCompare(left: unknown, right: unknown): boolean {
  if (left instanceof Timestamp || right instanceof Timestamp) {
    return left instanceof Timestamp && right instanceof Timestamp;
  }
  return left instanceof Duration === right instanceof Duration;
}

/** Compares by code points, not by UTF-16 units. */
function compareStrings(left: string, right: string): number {
  spend(Math.min(left.length, right.length) / 100);
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left.charCodeAt(index) === right.charCodeAt(index)) continue;
    return left.codePointAt(index)! < right.codePointAt(index)! ? -1 : 1;
  }
  return left.length - right.length;
}
