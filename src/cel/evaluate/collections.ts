import { CelError } from '../cel-error.ts';
import type { Run } from './frame.ts';
import { shownText } from './shown-text.ts';
import { EntryMap, ListValue, MapValue, Optional } from './values.ts';

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
      else if (!(value instanceof Optional)) throw notOptional('list element', value);
      else if (value.value !== undefined) items.push(value.value);
    }
    return new ListValue(items);
  };
}

/** Builds a map. The last entry of a key counts. An optional entry without a value removes those before it. */
export function mapOf(entries: readonly EntryRuns[]): Run {
  return (frame) => {
    const map = new EntryMap();
    for (const { key, value, optional } of entries) {
      const name = checkedKey(key(frame));
      const item = value(frame);
      if (!optional) map.set(name, item);
      else if (!(item instanceof Optional)) throw notOptional(`entry '${shownText(name)}'`, item);
      else if (item.value === undefined) map.delete(name);
      else map.set(name, item.value);
    }
    return map;
  };
}

export function notOptional(part: string, value: unknown): CelError {
  return new CelError(`cannot initialize optional ${part} from non-optional value ${shownText(value)}`);
}

function checkedKey(key: unknown): unknown {
  const isRefused = key instanceof ListValue || key instanceof MapValue || key instanceof Uint8Array;
  if (isRefused) throw new CelError('unsupported key type');
  return key;
}
