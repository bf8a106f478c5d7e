import { CelError } from '../cel-error.ts';
import { type CelType, dynType, isOptional, mapType, stringType, typeText } from '../checker/cel-type.ts';
import { spend, withWorkLimit } from '../work.ts';
import { base64Bytes, durationOf, timestampOf } from './texts.ts';
import {
  Duration,
  JsonMap,
  ListValue,
  MapValue,
  MessageValue,
  OpaqueValue,
  Optional,
  sizeOf,
  Timestamp,
  TypeValue,
  Uint,
} from './values.ts';

const dynMapType = mapType(stringType, dynType);
const maxInt = 2 ** 63;

/**
 * Converts JSON to a value. Null is an optional without a value. Lists and maps are converted when they are read.
 * Throws when the type does not fit.
 */
export function adoptJson(json: unknown, type: CelType): unknown {
  if (isOptional(type)) return json === null ? Optional.none : new Optional(adoptJson(json, type.parameters[0]!));
  if (json === null) return null;
  switch (type.kind) {
    case 'string':
      if (typeof json === 'string') return json;
      break;
    case 'bool':
      if (typeof json === 'boolean') return json;
      break;
    case 'int':
      if (typeof json === 'bigint') return json;
      if (Number.isInteger(json)) return BigInt(json as number);
      break;
    case 'double':
      if (typeof json === 'number') return json;
      if (typeof json === 'bigint') return Number(json);
      break;
    case 'list':
      if (Array.isArray(json)) return adoptList(json, type);
      break;
    case 'map':
    case 'object':
      if (isPlainObject(json)) return new JsonMap(json, type, adoptJson);
      break;
    case 'timestamp':
      if (typeof json === 'string') return timestampOf(json, { dates: true });
      break;
    case 'duration':
      if (typeof json === 'string') return durationOf(json);
      break;
    case 'bytes':
      if (typeof json === 'string') return base64Bytes(json);
      break;
    default:
      return adoptDynamic(json);
  }
  if (isValue(json)) return json;
  throw new CelError(`invalid data, expected ${typeText(type)}, got ${Array.isArray(json) ? 'list' : typeof json}`);
}

function adoptList(json: readonly unknown[], type: CelType & { readonly kind: 'list' }): ListValue {
  const { items } = type;
  return new ListValue(json, { adopt: (item) => adoptJson(item ?? null, items), semantics: type });
}

function isPlainObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && !Array.isArray(json) && !isValue(json);
}

function isValue(value: unknown): boolean {
  return (
    value instanceof ListValue ||
    value instanceof MapValue ||
    value instanceof OpaqueValue ||
    value instanceof Uint8Array ||
    value instanceof Timestamp ||
    value instanceof Duration ||
    value instanceof Optional ||
    value instanceof Uint ||
    value instanceof TypeValue
  );
}

const dynamicItems = { adopt: adoptDynamic };

function adoptDynamic(json: unknown): unknown {
  switch (typeof json) {
    case 'number':
      return Number.isInteger(json) && json >= -maxInt && json < maxInt ? BigInt(json) : json;
    case 'undefined':
      return null;
    case 'object':
      if (json === null || isValue(json)) return json;
      if (Array.isArray(json)) return new ListValue(json, dynamicItems);
      return new JsonMap(json as Readonly<Record<string, unknown>>, dynMapType, adoptJson);
    default:
      return json;
  }
}

const maxDepth = 200;

/** The plain data of an object that an expression constructed. */
export class CelMessage {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, unknown>;

  constructor(typeName: string, fields: ReadonlyMap<string, unknown>) {
    this.typeName = typeName;
    this.fields = fields;
  }
}

/** Maximum work for converting one value to plain data. */
const maxWork = 1_000_000;

/** Makes plain data of the result of `compute`. Throws a `CelError` when that is too large. */
export function plainData(value: unknown): unknown {
  return withWorkLimit(maxWork, () => plainValue(value));
}

/**
 * Makes plain data of a value: arrays of lists, Maps of maps, `CelMessage` of constructed objects, and null of an
 * optional without a value.
 */
export function plainValue(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // A value may use another one many times over.
  spend(1 + sizeOf(value));
  if (depth > maxDepth) throw new CelError(`value is nested deeper than ${maxDepth} levels`);
  if (value instanceof ListValue) return value.toArray().map((item) => plainValue(item, depth + 1));
  if (value instanceof Optional) return plainValue(value.value ?? null, depth + 1);
  if (!(value instanceof MapValue)) return value;
  if (value instanceof MessageValue) {
    const fields = value.keys().map((name): [string, unknown] => [name, plainValue(value.find(name), depth + 1)]);
    return new CelMessage(value.typeName, new Map(fields));
  }
  return new Map(
    value.keys().map((key) => [plainValue(key, depth + 1), plainValue(value.find(key) ?? null, depth + 1)]),
  );
}
