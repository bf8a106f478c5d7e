import { sortedKeys } from './sorted-keys.ts';
import type { WriteValue } from './value-writer.ts';

/** Each element is one occurrence, numbers too: they are never packed. */
export function listWriter(write: WriteValue): WriteValue {
  return (writer, value, tag) => {
    const list = value as readonly unknown[];
    for (let index = list.length - 1; index >= 0; index--) write(writer, list[index], tag);
  };
}

const keyTag = 0x0a;

export interface EntryOptions {
  readonly write: WriteValue;
  readonly valueTag: number;
  /** No value is something else than a zero one. */
  readonly optional: boolean;
}

/** Each entry is a message of one key and its value, in the order of the keys. */
export function mapWriter({ write, valueTag, optional }: EntryOptions): WriteValue {
  return (writer, value, tag) => {
    const map = value as Readonly<Record<string, unknown>>;
    const keys = sortedKeys(map);
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index]!;
      const element = map[key];
      const before = writer.size;
      if (!optional || (element !== undefined && element !== null)) write(writer, element, valueTag);
      writer.text(key, keyTag);
      writer.close(before, tag);
    }
  };
}
