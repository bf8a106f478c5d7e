import { DecodeError } from '../../meta/decode-error.ts';
import { entriesOf, isJsonObject, memberOf } from '../../meta/json-object.ts';
import type { ScalarKind, ScalarSchema, Schema, StructSchema } from '../../schema/model.ts';
import { goTypeName } from '../../schema/normalize/go-type-name.ts';
import { scalarNormalizers } from '../../schema/normalize/scalars.ts';

/**
 * Describes why a value cannot be converted to the type, with the messages of Kubernetes. Kubernetes does not serialize
 * the result of a strategic merge patch, so the message is not one of the JSON decoder, except for a type with a custom
 * decoder, such as a time. Returns undefined when the value is valid.
 */
export function restoreProblem(schema: Schema, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (schema.type) {
    case 'scalar':
      return scalarProblem(schema, value);
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${goKind(value)}`;
      return firstProblem(value, (element) => restoreProblem(schema.items, element));
    case 'map':
      if (!isJsonObject(value)) return `cannot restore map from ${goKind(value)}`;
      return firstProblem(entriesOf(value), ([, member]) => restoreProblem(schema.values, member));
    case 'struct':
      return structProblem(schema, value);
  }
}

/** Checks the fields in the order of the type, not in that of the document. */
function structProblem(schema: StructSchema, value: unknown): string | undefined {
  if (schema.untagged === true) return undefined;
  if (!isJsonObject(value)) return `cannot restore struct from: ${goKind(value)}`;
  return firstProblem(schema.fields, (field) =>
    restoreProblem(field.schema, field.inline === true ? value : memberOf(value, field.name)),
  );
}

const numberTypes: ReadonlySet<ScalarKind> = new Set(['int32', 'int64', 'uint32', 'float64']);

/** Types that decode a value from its own JSON text. */
const selfDecoding: ReadonlySet<ScalarKind> = new Set(['time', 'microTime', 'duration', 'quantity', 'intOrString']);

function scalarProblem(schema: ScalarSchema, value: unknown): string | undefined {
  const { kind } = schema;
  if (selfDecoding.has(kind)) return decodingProblem(kind, value);
  if (kind === 'bytes') return bytesProblem(value);
  const found = goKind(value);
  if (kind === 'string') {
    if (found === 'string') return undefined;
    return found === 'int64' ? `cannot convert int64 to ${goTypeName(schema)}` : 'unrecognized type: string';
  }
  if (kind === 'bool') return found === 'bool' ? undefined : 'unrecognized type: bool';
  return numberTypes.has(kind) && typeof value !== 'bigint' ? numberProblem(kind, found) : undefined;
}

function numberProblem(type: string, found: string): string | undefined {
  if (found === 'int64') return undefined;
  if (found !== 'float64') return `unrecognized type: ${type}`;
  return type === 'float64' ? undefined : `cannot convert float64 to ${type}`;
}

/** Bytes are base64, or a list of numbers. */
function bytesProblem(value: unknown): string | undefined {
  if (Array.isArray(value))
    return firstProblem(value, (element) => (element === null ? undefined : numberProblem('uint8', goKind(element))));
  if (typeof value !== 'string') return `cannot restore slice from ${goKind(value)}`;
  const problem = decodingProblem('bytes', value);
  return problem && `error decoding from json: ${problem}`;
}

function decodingProblem(kind: ScalarKind, value: unknown): string | undefined {
  try {
    scalarNormalizers[kind](value);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

/** Returns Go's reflect kind for a JSON value. */
function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'object':
      return 'map';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'int64' : 'float64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'string';
  }
}

function firstProblem<T>(values: readonly T[], problem: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = problem(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
