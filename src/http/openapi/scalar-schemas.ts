import type { ScalarKind } from '../../schema/model.ts';
import { definitionName } from './definition-name.ts';
import type { Dialect, JsonSchema } from './dialect.ts';

interface PlainScalar {
  readonly schema: JsonSchema;
  /** What stands for an absent value; bytes have none. */
  readonly zero?: unknown;
}

/** Scalars that are written out where they are used. */
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
  readonly name: string;
  readonly schema: (dialect: Dialect) => JsonSchema;
}

const alike = (schema: JsonSchema) => () => schema;

/** Swagger 2.0 cannot say that a value has one of two types. */
function eitherType(types: readonly string[], format?: string): (dialect: Dialect) => JsonSchema {
  const ofFormat = format === undefined ? {} : { format };
  return (dialect) =>
    dialect === 'v2' ? { type: 'string', ...ofFormat } : { ...ofFormat, oneOf: types.map((type) => ({ type })) };
}

/** Scalars that are definitions of their own. */
export const namedScalars: Readonly<Partial<Record<ScalarKind, NamedScalar>>> = {
  time: { name: definitionName('meta/v1.Time'), schema: alike({ type: 'string', format: 'date-time' }) },
  microTime: { name: definitionName('meta/v1.MicroTime'), schema: alike({ type: 'string', format: 'date-time' }) },
  duration: { name: definitionName('meta/v1.Duration'), schema: alike({ type: 'string' }) },
  fieldsV1: { name: definitionName('meta/v1.FieldsV1'), schema: alike({ type: 'object' }) },
  quantity: { name: 'io.k8s.apimachinery.pkg.api.resource.Quantity', schema: eitherType(['string', 'number']) },
  intOrString: {
    name: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    schema: eitherType(['integer', 'string'], 'int-or-string'),
  },
  rawExtension: { name: 'io.k8s.apimachinery.pkg.runtime.RawExtension', schema: alike({ type: 'object' }) },
  json: { name: definitionName('apiextensions/v1.JSON'), schema: alike({}) },
};
