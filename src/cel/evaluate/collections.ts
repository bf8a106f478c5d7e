import { CelError, noSuchOverload } from '../cel-error.ts';
import type { Run } from './frame.ts';
import { EntryMap, ListValue, Optional, Uint } from './values.ts';

interface EntryRuns {
  readonly key: Run;
  readonly value: Run;
  readonly optional: boolean;
}

/** Builds a list from the elements. Optional elements without a value are omitted. */
export function listOf(elements: readonly Run[], optional: ReadonlySet<number>): Run {
  return (frame) => {
    const items: unknown[] = [];
    for (const [index, run] of elements.entries()) {
      const value = run(frame);
      if (!optional.has(index)) items.push(value);
      else if (!(value instanceof Optional)) throw noSuchOverload();
      else if (value.value !== undefined) items.push(value.value);
    }
    return new ListValue(items);
  };
}

/** Builds a map. Optional entries without a value are omitted. */
export function mapOf(entries: readonly EntryRuns[]): Run {
  return (frame) => {
    const map = new EntryMap();
    for (const { key, value, optional } of entries) {
      const name = checkedKey(key(frame));
      const item = value(frame);
      if (map.has(name)) throw new CelError(`Failed with repeated key: ${String(name)}`);
      if (!optional) map.set(name, item);
      else if (!(item instanceof Optional)) throw noSuchOverload();
      else if (item.value !== undefined) map.set(name, item.value);
    }
    return map;
  };
}

function checkedKey(key: unknown): unknown {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean' || key instanceof Uint) return key;
  throw new CelError('unsupported key type');
}
