import type { ScalarKind } from '../../schema/model.ts';
import { definitionName } from './definition-name.ts';
import type { Dialect, JsonSchema } from './dialect.ts';

interface PlainScalar {
  readonly schema: JsonSchema;
  /** The default of an absent value. Bytes have none. */
  readonly zero?: unknown;
}

/** Scalars whose schemas are written inline. */
export const plainScalars: Readonly<Partial<Record<ScalarKind, PlainScalar>>> = {
  string: { schema: { type: 'string' }, zero: '' },
  bool: { schema: { type: 'boolean' }, zero: false },
  int32: { schema: { type: 'integer', format: 'int32' }, zero: 0 },
  int64: { schema: { type: 'integer', format: 'int64' }, zero: 0 },
  uint32: { schema: { type: 'integer', format: 'int64' }, zero: 0 },
  float64: { schema: { type: 'number', format: 'double' }, zero: 0 },
  bytes: { schema: { type: 'string', format: 'byte' } },
};

interface NamedScalar {
  /** The type name of its description. */
  readonly typeName: string;
  readonly name: string;
  readonly schema: (dialect: Dialect) => JsonSchema;
}

const alike = (schema: JsonSchema) => () => schema;

/** Swagger 2.0 cannot express a choice of two types. */
function eitherType(types: readonly string[], format?: string): (dialect: Dialect) => JsonSchema {
  const ofFormat = format === undefined ? {} : { format };
  return (dialect) =>
    dialect === 'v2' ? { type: 'string', ...ofFormat } : { ...ofFormat, oneOf: types.map((type) => ({ type })) };
}

function metaScalar(name: string, schema: JsonSchema): NamedScalar {
  const typeName = `meta/v1.${name}`;
  return { typeName, name: definitionName(typeName), schema: alike(schema) };
}

/** Scalars that have a named definition. */
export const namedScalars: Readonly<Partial<Record<ScalarKind, NamedScalar>>> = {
  time: metaScalar('Time', { type: 'string', format: 'date-time' }),
  microTime: metaScalar('MicroTime', { type: 'string', format: 'date-time' }),
  duration: metaScalar('Duration', { type: 'string' }),
  fieldsV1: metaScalar('FieldsV1', { type: 'object' }),
  quantity: {
    typeName: 'meta/v1.Quantity',
    name: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
    schema: eitherType(['string', 'number']),
  },
  intOrString: {
    typeName: 'meta/v1.IntOrString',
    name: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    schema: eitherType(['integer', 'string'], 'int-or-string'),
  },
  rawExtension: {
    typeName: 'meta/v1.RawExtension',
    name: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
    schema: alike({ type: 'object' }),
  },
  json: { typeName: 'apiextensions/v1.JSON', name: definitionName('apiextensions/v1.JSON'), schema: alike({}) },
};
