import fc, { type GeneratorValue } from 'fast-check';
import { formatDuration } from '../../src/meta/duration.ts';
import type { ScalarKind, Schema, StructSchema } from '../../src/schema/model.ts';

/** Structs below this depth are empty. */
const deepest = 7;

/** A random object of a type in its JSON form. What protobuf cannot tell from absence (empty lists) is not in it. */
export function generateObject(generate: GeneratorValue, schema: StructSchema, depth = 0): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  if (depth >= deepest) return object;
  const oneIn = generate(fc.integer, { min: 1, max: 3 + depth });
  for (const { name, schema: fieldSchema, inline } of schema.fields) {
    if (generate(fc.integer, { min: 1, max: oneIn }) !== 1) continue;
    const value = generateValue(generate, fieldSchema, inline === true ? depth : depth + 1);
    if (inline === true) Object.assign(object, value);
    else object[name] = value;
  }
  return object;
}

function generateValue(generate: GeneratorValue, schema: Schema, depth: number): unknown {
  switch (schema.type) {
    case 'scalar':
      return generate(scalars[schema.kind]);
    case 'struct':
      return schema.untagged === true
        ? generateUntagged(generate, schema, depth)
        : generateObject(generate, schema, depth);
    case 'list':
      return Array.from({ length: generate(fc.integer, { min: 1, max: 3 }) }, () =>
        generateValue(generate, schema.items, depth),
      );
    case 'map':
      return Object.fromEntries(
        generate(keys).map((key) => [key, generateValue(generate, schema.values, depth)] as const),
      );
  }
}

function generateUntagged(generate: GeneratorValue, { fields }: StructSchema, depth: number): unknown {
  const chosen = generate(fc.nat, fields.length - 1);
  return generateValue(generate, fields[chosen]!.schema, depth);
}

const text = () => fc.string({ unit: 'binary', maxLength: 20 });
const keys = () =>
  fc.uniqueArray(fc.oneof(text(), fc.constantFrom('__proto__', 'constructor', '1')), { minLength: 1, maxLength: 3 });
const int64 = () =>
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const date = () => fc.date({ noInvalidDate: true, min: new Date('0002-01-01'), max: new Date('9999-12-31') });
const embedded = () => fc.dictionary(fc.string(), fc.jsonValue()).map(asParsed);

const scalars: Readonly<Record<ScalarKind, () => fc.Arbitrary<unknown>>> = {
  string: text,
  bool: () => fc.boolean(),
  int32: () => fc.integer(),
  int64,
  uint32: () => fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  float64: () => fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  bytes: () => fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
  time: () => date().map((value) => `${value.toISOString().slice(0, 19)}Z`),
  microTime: () => date().map((value) => `${value.toISOString().slice(0, 23)}007Z`),
  duration: () => fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(formatDuration),
  quantity: () => fc.constantFrom('0', '100m', '1500m', '1Gi', '1e3', '-5', '9223372036854775807'),
  intOrString: () => fc.oneof(fc.integer(), text()),
  rawExtension: embedded,
  fieldsV1: embedded,
  json: () =>
    fc
      .jsonValue()
      .filter((value) => value !== null)
      .map(asParsed),
};

/** Without what JSON cannot write, such as the negative zero. */
function asParsed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
