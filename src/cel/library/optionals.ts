import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { shownText } from '../evaluate/shown-text.ts';
import { Duration, EntryMap, ListValue, MapValue, Optional, Timestamp, Uint } from '../evaluate/values.ts';
import { spend } from '../work.ts';
import { arrayOf } from './operators.ts';

/** The zero value of timestamps in Go is the beginning of the first year. */
const firstTime = -62_135_596_800_000_000_000n;

function isZero(value: unknown): boolean {
  if (typeof value !== 'object') return value === 0n || value === 0 || value === '' || value === false;
  if (value === null) return true;
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof MapValue) return value.size === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Timestamp) return value.nanoseconds === firstTime;
  return value instanceof Duration && value.nanoseconds === 0n;
}

function present(optional: Optional): unknown {
  if (optional.value === undefined) throw new CelError('optional.none() dereference');
  return optional.value;
}

/** Maps created by a macro. They are not visible before the macro ends, so they may grow. */
const growing = new WeakSet<MapValue>();

function insert(map: MapValue, key: unknown, value: unknown): EntryMap {
  const target = growing.has(map) ? (map as EntryMap) : copyOf(map);
  growing.add(target);
  if (target.has(key)) throw new CelError(`insert failed: key ${shownText(key)} already exists`);
  return target.set(key, value);
}

function copyOf(map: MapValue): EntryMap {
  const copy = new EntryMap();
  for (const key of map.keys()) copy.set(key, map.find(key));
  return copy;
}

function insertAll(map: MapValue, entries: MapValue): MapValue {
  let result = map;
  for (const key of entries.keys()) {
    spend(1);
    result = insert(result, key, entries.find(key));
  }
  return result;
}

function unwrapped(list: ListValue): ListValue {
  const items: unknown[] = [];
  for (const item of arrayOf(list)) {
    if (!(item instanceof Optional)) throw new CelError(`value ${shownText(item)} is not optional`);
    if (item.value !== undefined) items.push(item.value);
  }
  return new ListValue(items);
}

/** The element at an index. None when the list is empty. */
function elementOf(list: ListValue, index: number): Optional {
  return list.length === 0 ? Optional.none : new Optional(list.get(index));
}

/** Optional values, and the building blocks of the map macros. */
export const optionals: readonly Overload[] = [
  defineFunction('optional.none', { '(): optional(A)': () => Optional.none }),
  defineFunction('optional.of', { '(A): optional(A)': (value: unknown) => new Optional(value) }),
  defineFunction('optional.ofNonZeroValue', {
    '(A): optional(A)': (value: unknown) => (isZero(value) ? Optional.none : new Optional(value)),
  }),
  defineFunction('hasValue', { 'optional(A).(): bool': (optional: Optional) => optional.value !== undefined }),
  defineFunction('value', { 'optional(A).(): A': present }),
  defineFunction('or', { 'optional(A).(optional(A)): optional(A)': undefined }),
  defineFunction('orValue', { 'optional(A).(A): A': undefined }),
  defineFunction('first', { 'list(A).(): optional(A)': (list: ListValue) => elementOf(list, 0) }),
  defineFunction('last', { 'list(A).(): optional(A)': (list: ListValue) => elementOf(list, list.length - 1) }),
  defineFunction('optional.unwrap', { '(list(optional(A))): list(A)': unwrapped }),
  defineFunction('unwrapOpt', { 'list(optional(A)).(): list(A)': unwrapped }),
  defineFunction('cel.@mapInsert', {
    '(map(A, B), A, B): map(A, B)': insert,
    '(map(A, B), map(A, B)): map(A, B)': insertAll,
  }),
].flat();
