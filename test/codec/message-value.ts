import { encodeJson } from '../../src/codec/json/index.ts';
import { parseDuration } from '../../src/meta/duration.ts';
import type { Field, ScalarKind, Schema, StructSchema } from '../../src/schema/model.ts';

type Message = Record<string, unknown>;

interface MessageOptions {
  /** Whether unset fields have the zero values of Go's structs. */
  readonly zeros: boolean;
}

/** Returns the message for protobufjs of an object in its JSON form. */
export function messageOf(schema: StructSchema, value: unknown, options: MessageOptions): Message {
  const message: Message = {};
  if (schema.untagged === true) {
    for (const field of schema.fields) {
      if (holds(field.schema, value)) message[`f${field.number}`] = messageValue(field.schema, value, options);
      // If the value is an object, Go also sets the boolean to true.
      else if (options.zeros && field.schema.type === 'scalar') message[`f${field.number}`] = true;
    }
    return message;
  }
  for (const field of schema.fields) {
    const fieldValue = fieldOf(field, value as Message, options);
    if (fieldValue !== undefined) message[`f${field.number}`] = fieldValue;
  }
  return message;
}

function holds(schema: Schema, value: unknown): boolean {
  if (schema.type === 'list') return Array.isArray(value);
  return schema.type === 'struct'
    ? typeof value === 'object' && value !== null && !Array.isArray(value)
    : typeof value === 'boolean';
}

function fieldOf({ name, schema, inline, pointer }: Field, parent: Message, options: MessageOptions): unknown {
  if (inline === true) return messageValue(schema, parent, options);
  const value = Object.hasOwn(parent, name) ? (parent[name] ?? undefined) : undefined;
  if (value !== undefined) return messageValue(schema, value, options);
  if (!options.zeros || pointer === true) return undefined;
  if (schema.type === 'struct') return messageOf(schema, {}, options);
  return schema.type === 'scalar' ? zeros[schema.kind] : undefined;
}

function messageValue(schema: Schema, value: unknown, options: MessageOptions): unknown {
  switch (schema.type) {
    case 'struct':
      return messageOf(schema, value, options);
    case 'list': {
      // The canonical form of an empty list is null.
      const items = ((value ?? []) as unknown[]).map((item) => messageValue(schema.items, item, options));
      return schema.name === undefined ? items : { f1: items };
    }
    case 'map':
      return Object.fromEntries(
        // Keys are sorted by bytes, as in Go.
        Object.entries(value as Message)
          .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
          .map(([key, element]) => [key, messageValue(schema.values, element, options)]),
      );
    case 'scalar':
      return scalarOf(schema.kind, value);
  }
}

/** Unset bytes are nil in Go and therefore not encoded. */
const zeros: Readonly<Record<ScalarKind, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  float64: 0,
  bytes: undefined,
  time: {},
  microTime: {},
  duration: { f1: 0 },
  quantity: { f1: '0' },
  intOrString: { f1: 0, f2: 0, f3: '' },
  rawExtension: {},
  fieldsV1: {},
  json: {},
};

function scalarOf(kind: ScalarKind, value: unknown): unknown {
  switch (kind) {
    case 'int64':
      return String(value);
    case 'bytes':
      return Buffer.from(value as string, 'base64');
    case 'time':
    case 'microTime':
      return value === null ? {} : timestampOf(value as string);
    case 'duration':
      return { f1: String(parseDuration(value as string)) };
    case 'quantity':
      return { f1: value };
    case 'intOrString':
      return typeof value === 'number' ? { f1: 0, f2: value, f3: '' } : { f1: 1, f2: 0, f3: value };
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return value === null ? {} : { f1: Buffer.from(encodeJson(value)) };
    default:
      return value;
  }
}

function timestampOf(text: string): { f1: number; f2: number } {
  const [, decimals = '0'] = /\.(\d+)Z/.exec(text) ?? [];
  return { f1: Math.floor(Date.parse(text) / 1000), f2: Number(decimals.padEnd(9, '0')) };
}
