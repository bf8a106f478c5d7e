import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { Duration, EntryMap, ListValue, MapValue, Optional, Timestamp, Uint } from '../evaluate/values.ts';
import { spend } from '../work.ts';

function isZero(value: unknown): boolean {
  if (typeof value !== 'object') return value === 0n || value === 0 || value === '' || value === false;
  if (value === null) return true;
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof MapValue) return value.size === 0;
  if (value instanceof Uint) return value.value === 0n;
  return (value instanceof Duration || value instanceof Timestamp) && value.nanoseconds === 0n;
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
  if (target.has(key)) throw new CelError(`insert failed: key ${String(key)} already exists`);
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
  defineFunction('cel.@mapInsert', {
    '(map(A, B), A, B): map(A, B)': insert,
    '(map(A, B), map(A, B)): map(A, B)': insertAll,
  }),
].flat();
