import type { Field, ListSchema, Schema, StructSchema } from '../../schema/model.ts';
import { listWriter, mapWriter } from './container-writers.ts';
import { type FieldPlan, MessagePlan } from './message-plan.ts';
import { scalarWriters } from './scalar-writers.ts';
import type { ValueWriter, WriteValue } from './value-writer.ts';
import { wireTypes } from './wire-reader.ts';

const { lengthDelimited } = wireTypes;

const nothing: Readonly<Record<string, unknown>> = {};

const plans = new WeakMap<StructSchema, MessagePlan>();

/** Returns the plan for writing messages of a type. Built on first use, because most types are never written. */
export function planMessage(schema: StructSchema): MessagePlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = new MessagePlan(schema.fields.map(planField));
    plans.set(schema, plan);
  }
  return plan;
}

function planField({ name, number, schema, inline = false, pointer = false }: Field): FieldPlan {
  const { wireType, write } = compileField(schema);
  const hasNil = pointer || schema.type === 'list' || schema.type === 'map' || isBytes(schema);
  return { name, number, tag: tagOf(number, wireType), write, optional: hasNil && !inline, inline };
}

/** Byte slices can be nil in Go. */
const isBytes = (schema: Schema): boolean => schema.type === 'scalar' && schema.kind === 'bytes';

const tagOf = (number: number, wireType: number): number => (number << 3) | wireType;

function compileField(schema: Schema): ValueWriter {
  if (schema.type === 'map') {
    const { wireType, write } = compileValue(schema.values);
    const entry = { write, valueTag: tagOf(2, wireType), optional: isBytes(schema.values) };
    return { wireType: lengthDelimited, write: mapWriter(entry) };
  }
  if (schema.type === 'list' && schema.name === undefined) {
    const { wireType, write } = compileValue(schema.items);
    return { wireType, write: listWriter(write) };
  }
  return compileValue(schema);
}

function compileValue(schema: Schema): ValueWriter {
  switch (schema.type) {
    case 'scalar':
      return scalarWriters[schema.kind];
    case 'struct':
      return { wireType: lengthDelimited, write: compileStruct(schema) };
    case 'list':
      return { wireType: lengthDelimited, write: compileNamedList(schema) };
    case 'map':
      throw new TypeError('protobuf has no maps in lists and maps');
  }
}

function compileStruct(schema: StructSchema): WriteValue {
  // Resolved lazily, because types may be recursive.
  let plan: MessagePlan | undefined;
  const isUntagged = schema.untagged === true;
  return (writer, value, tag) => {
    plan ??= planMessage(schema);
    const message = isUntagged ? untaggedMessage(schema, value) : value;
    const before = writer.size;
    plan.write(writer, (message ?? nothing) as Readonly<Record<string, unknown>>);
    writer.close(before, tag);
  };
}

/** In protobuf, a named list is a message whose only field is the list. */
function compileNamedList({ name, items }: ListSchema): WriteValue {
  if (name === undefined) throw new TypeError('protobuf has no lists in lists and maps');
  const { wireType, write } = compileValue(items);
  const writeItems = listWriter(write);
  const itemsTag = tagOf(1, wireType);
  return (writer, value, tag) => {
    const before = writer.size;
    writeItems(writer, value ?? [], itemsTag);
    writer.close(before, tag);
  };
}

/**
 * Returns the message of a value that JSON represents by its only set field: the inverse of `untaggedValue` in
 * `message-reader.ts`. For types with a boolean field, an object implies true.
 */
function untaggedMessage({ fields }: StructSchema, value: unknown): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  const isObject = typeof value === 'object' && value !== null;
  for (const { name, schema } of fields) {
    if (schema.type === 'scalar') message[name] = isObject || value;
    else if (isObject && (schema.type === 'list') === Array.isArray(value)) message[name] = value;
  }
  return message;
}
