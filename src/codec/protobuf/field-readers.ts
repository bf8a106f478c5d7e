import { setEntry } from '../../schema/normalize/containers.ts';
import { requestBounds, tooManyKeys } from '../document-bounds.ts';
import type { ReadInto, ValueReader } from './value-reader.ts';
import { wireTypes } from './wire-reader.ts';

const { lengthDelimited } = wireTypes;

// Readers for the fields of a message, one per kind of field. `name` is the field's name in JSON.

/** The last occurrence wins. */
export function valueField(name: string, { wireType, read }: ValueReader): ReadInto {
  return (reader, target) => {
    reader.expect(wireType, name);
    target[name] = read(reader);
  };
}

/** Multiple occurrences of a message are merged. */
export function structField(name: string, readMessage: ReadInto): ReadInto {
  return (reader, target) => {
    reader.expect(lengthDelimited, name);
    let nested = target[name] as Record<string, unknown> | undefined;
    if (nested === undefined) {
      nested = {};
      target[name] = nested;
    }
    const outerEnd = reader.enter();
    readMessage(reader, nested);
    reader.leave(outerEnd);
  };
}

/** A separate message in protobuf only. In JSON its fields are among those of the parent. */
export function inlineField(name: string, readMessage: ReadInto): ReadInto {
  return (reader, target) => {
    reader.expect(lengthDelimited, name);
    const outerEnd = reader.enter();
    readMessage(reader, target);
    reader.leave(outerEnd);
  };
}

/** Each occurrence is one element or, for numbers, a packed list. */
export function listField(name: string, { wireType, read }: ValueReader): ReadInto {
  return (reader, target) => {
    let list = target[name] as unknown[] | undefined;
    if (list === undefined) {
      list = [];
      target[name] = list;
    }
    if (wireType === lengthDelimited || reader.wireType !== lengthDelimited) {
      reader.expect(wireType, name);
      list.push(read(reader));
      return;
    }
    const outerEnd = reader.enter();
    while (!reader.atEnd) {
      reader.count();
      list.push(read(reader));
    }
    reader.leave(outerEnd);
  };
}

const keyCounts = new WeakMap<object, number>();

function countKey(map: object): void {
  const count = (keyCounts.get(map) ?? 0) + 1;
  if (count > requestBounds.maxKeys) throw tooManyKeys(requestBounds);
  keyCounts.set(map, count);
}

/** Each occurrence is a message with a key and a value. A missing key or value is the zero value. */
export function mapField(name: string, { wireType, read }: ValueReader): ReadInto {
  return (reader, target) => {
    reader.expect(lengthDelimited, name);
    let map = target[name] as Record<string, unknown> | undefined;
    if (map === undefined) {
      map = {};
      target[name] = map;
    }
    let key = '';
    let value: unknown = null;
    const outerEnd = reader.enter();
    while (reader.next(name)) {
      if (reader.field === 1) {
        reader.expect(lengthDelimited, name);
        key = reader.text();
      } else if (reader.field === 2) {
        reader.expect(wireType, name);
        value = read(reader);
      } else {
        reader.skip();
      }
    }
    reader.leave(outerEnd);
    if (!Object.hasOwn(map, key)) countKey(map);
    setEntry(map, key, value);
  };
}
