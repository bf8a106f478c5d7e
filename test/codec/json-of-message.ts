import { decodeJson } from '../../src/codec/json/index.ts';
import { formatDuration } from '../../src/meta/duration.ts';
import type { ScalarKind, Schema, StructSchema } from '../../src/schema/model.ts';

type Message = Record<string, unknown>;

/**
 * Returns the JSON form of a message that protobufjs has decoded, with longs and bytes as text. The inverse of
 * `messageOf`.
 */
export function jsonOfMessage(schema: StructSchema, message: Message): unknown {
  const object: Message = {};
  for (const { name, number, schema: fieldSchema, inline } of schema.fields) {
    const field = message[`f${number}`];
    if (field === undefined) continue;
    const value = jsonValue(fieldSchema, field);
    if (inline === true) Object.assign(object, value);
    else if (!isEmpty(fieldSchema, value)) object[name] = value;
  }
  return schema.untagged === true ? untagged(schema, object) : object;
}

/** protobufjs returns a list for every repeated field, even if it is absent. */
const isEmpty = (schema: Schema, value: unknown): boolean =>
  schema.type === 'list' && schema.name === undefined && (value as unknown[]).length === 0;

/** Returns the value of the field that is set. The boolean is always encoded, so other fields take precedence. */
function untagged({ fields }: StructSchema, object: Message): unknown {
  const set = fields.filter(({ name }) => object[name] !== undefined);
  return object[(set.find(({ schema }) => schema.type !== 'scalar') ?? set[0])?.name ?? ''] ?? null;
}

function jsonValue(schema: Schema, value: unknown): unknown {
  switch (schema.type) {
    case 'struct':
      return jsonOfMessage(schema, value as Message);
    case 'list': {
      const items = schema.name === undefined ? value : ((value as { f1?: unknown }).f1 ?? []);
      return (items as unknown[]).map((item) => jsonValue(schema.items, item));
    }
    case 'map':
      return Object.fromEntries(
        Object.entries(value as Message).map(([key, element]) => [key, jsonValue(schema.values, element)]),
      );
    case 'scalar':
      return scalarOf(schema.kind, value);
  }
}

interface ScalarMessage {
  readonly f1?: string | number;
  readonly f2?: number;
  readonly f3?: string;
}

function scalarOf(kind: ScalarKind, value: unknown): unknown {
  const { f1, f2 = 0, f3 = '' } = value as ScalarMessage;
  switch (kind) {
    case 'int64':
      return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value as string);
    case 'time':
      return f1 === undefined ? null : `${dateOf(f1)}Z`;
    case 'microTime':
      return f1 === undefined ? null : `${dateOf(f1)}.${String(Math.trunc(f2 / 1_000)).padStart(6, '0')}Z`;
    case 'duration':
      return formatDuration(BigInt(f1 ?? 0));
    case 'quantity':
      return f1 ?? '0';
    case 'intOrString':
      return Number(f1 ?? 0) === 0 ? f2 : f3;
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return f1 === undefined || f1 === '' ? null : decodeJson(Buffer.from(String(f1), 'base64')).value;
    default:
      return value;
  }
}

const dateOf = (seconds: string | number): string => new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
