import { isJsonObject, memberOf, objectOf } from '../../meta/json-object.ts';
import type { ScalarKind, Schema } from '../../schema/model.ts';

/**
 * Converts integers that are too large for their fields, and lists of integers where bytes belong. Kubernetes converts
 * the result of a strategic merge patch or of an apply to its type without a JSON decoder, so an integer loses its
 * upper bits instead of being an error. The validation of the type then refuses most of these values.
 */
export function restoreIntegers(schema: Schema, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (schema.type) {
    case 'scalar':
      if (schema.kind === 'bytes' && Array.isArray(value)) return bytesOf(value);
      return isInteger(value) ? (conversions[schema.kind]?.(toInt64(value)) ?? value) : value;
    case 'list':
      return Array.isArray(value) ? value.map((element) => restoreIntegers(schema.items, element)) : value;
    case 'map':
      return isJsonObject(value) ? mapMembers(value, () => schema.values) : value;
    case 'struct': {
      if (schema.untagged === true || !isJsonObject(value)) return value;
      const inlined = schema.fields.filter(({ inline }) => inline === true);
      const own = new Map(schema.fields.filter(({ inline }) => inline !== true).map((field) => [field.name, field]));
      const result = mapMembers(value, (name) => own.get(name)?.schema);
      return inlined.reduce<unknown>((object, { schema: inner }) => restoreIntegers(inner, object), result);
    }
  }
}

function mapMembers(object: Record<string, unknown>, schemaOf: (name: string) => Schema | undefined): unknown {
  return objectOf(
    Object.keys(object).map((name) => {
      const schema = schemaOf(name);
      const member = memberOf(object, name);
      return [name, schema === undefined ? member : restoreIntegers(schema, member)] as const;
    }),
  );
}

const isInteger = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

function bytesOf(values: readonly unknown[]): string {
  const bytes = values.map((value) => (isInteger(value) ? Number(BigInt.asUintN(8, toInt64(value))) : 0));
  return Buffer.from(bytes).toString('base64');
}

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/** An integer that does not even fit 64 bits has become a float, whose conversion is limited to the bounds of int64. */
function toInt64(value: number | bigint): bigint {
  const exact = BigInt(value);
  return exact > maxInt64 ? maxInt64 : exact < minInt64 ? minInt64 : exact;
}

const conversions: Readonly<Partial<Record<ScalarKind, (value: bigint) => unknown>>> = {
  int32: (value) => Number(BigInt.asIntN(32, value)),
  uint32: (value) => Number(BigInt.asUintN(32, value)),
  int64: (value) => (BigInt(Number(value)) === value ? Number(value) : value),
};
