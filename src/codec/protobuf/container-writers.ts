import { sortedKeys } from './sorted-keys.ts';
import type { WriteValue } from './value-writer.ts';

/** Writes each element as a separate field occurrence. Kubernetes never packs numbers. */
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
  /** Whether an absent value differs from a zero value. */
  readonly optional: boolean;
}

/** Writes each entry as a message with a key and a value, sorted by key. */
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
