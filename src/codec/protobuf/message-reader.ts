import type { Field, ListSchema, Schema, StructSchema } from '../../schema/model.ts';
import { inlineField, listField, mapField, structField, valueField } from './field-readers.ts';
import { scalarReaders } from './scalar-readers.ts';
import type { ReadInto, ValueReader } from './value-reader.ts';
import { type WireReader, wireTypes } from './wire-reader.ts';

const { lengthDelimited } = wireTypes;

const messages = new WeakMap<StructSchema, ReadInto>();

/**
 * Returns the function that reads messages of a type to their end. There is one per type, because types may be
 * recursive.
 */
export function messageReader(schema: StructSchema): ReadInto {
  let read = messages.get(schema);
  if (read === undefined) {
    read = compileMessage(schema);
    messages.set(schema, read);
  }
  return read;
}

function compileMessage(schema: StructSchema): ReadInto {
  const messageName = schema.name.slice(schema.name.indexOf('.') + 1);
  // Compiled when the first message arrives, because most types are never sent.
  let fields: readonly (ReadInto | undefined)[] | undefined;
  return (reader, target) => {
    fields ??= fieldsByNumber(schema.fields);
    while (reader.next(messageName)) {
      const readField = reader.field < fields.length ? fields[reader.field] : undefined;
      if (readField === undefined) reader.skip();
      else readField(reader, target);
    }
  };
}

function fieldsByNumber(fields: readonly Field[]): (ReadInto | undefined)[] {
  const maxNumber = Math.max(0, ...fields.map(({ number }) => number));
  const readers = new Array<ReadInto | undefined>(maxNumber + 1).fill(undefined);
  for (const field of fields) readers[field.number] = compileField(field);
  return readers;
}

function compileField({ name, schema, inline }: Field): ReadInto {
  if (schema.type === 'list' && schema.name === undefined) return listField(name, compileValue(schema.items));
  if (schema.type === 'map') return mapField(name, compileValue(schema.values));
  if (schema.type === 'struct' && inline === true) return inlineField(name, messageReader(schema));
  if (schema.type === 'struct' && schema.untagged !== true) return structField(name, messageReader(schema));
  return valueField(name, compileValue(schema));
}

function compileValue(schema: Schema): ValueReader {
  switch (schema.type) {
    case 'scalar':
      return scalarReaders[schema.kind];
    case 'struct':
      return { wireType: lengthDelimited, read: compileStruct(schema) };
    case 'list':
      return { wireType: lengthDelimited, read: compileNamedList(schema) };
    case 'map':
      throw new TypeError('protobuf has no maps in lists and maps');
  }
}

function compileStruct(schema: StructSchema): ValueReader['read'] {
  const readMessage = messageReader(schema);
  const read = (reader: WireReader): Record<string, unknown> => {
    const object: Record<string, unknown> = {};
    const outerEnd = reader.enter();
    readMessage(reader, object);
    reader.leave(outerEnd);
    return object;
  };
  return schema.untagged === true ? (reader) => untaggedValue(schema, read(reader)) : read;
}

/** In protobuf, a named list is a message whose only field is the list. */
function compileNamedList({ name, items }: ListSchema): ValueReader['read'] {
  if (name === undefined) throw new TypeError('protobuf has no lists in lists and maps');
  const readItem = listField('items', compileValue(items));
  return (reader) => {
    const message: { items: unknown[] } = { items: [] };
    const outerEnd = reader.enter();
    while (reader.next(name)) {
      if (reader.field === 1) readItem(reader, message);
      else reader.skip();
    }
    reader.leave(outerEnd);
    return message.items;
  };
}

/**
 * Returns the JSON form of a message that JSON represents by its only set field: the list (an empty one is not on the
 * wire), the object or, with neither, the boolean of the types that have one, whose zero value is false. Returns null
 * when nothing is set.
 */
function untaggedValue({ fields }: StructSchema, message: Readonly<Record<string, unknown>>): unknown {
  const named = (type: string): string | undefined => fields.find(({ schema }) => schema.type === type)?.name;
  const list = message[named('list') ?? ''];
  if (list !== undefined) return list;
  const object = message[named('struct') ?? ''];
  if (object !== undefined) return object;
  const scalar = named('scalar');
  return scalar === undefined ? null : (message[scalar] ?? false);
}
