import { recordExactQuantities } from '../exact-quantity.ts';
import type { Field, MapSchema, Schema, StructSchema } from '../model.ts';
import { customNormalizer } from '../structural/custom-normalizer.ts';
import { listNormalizer, mapNormalizer, stringMapNormalizer } from './containers.ts';
import { FieldPlan } from './field-plan.ts';
import { goTypeName } from './go-type-name.ts';
import type { Normalizer } from './pass.ts';
import { scalarNormalizers, scalarZeros } from './scalars.ts';
import { jsonFields } from './struct-fields.ts';
import { StructPlan } from './struct-plan.ts';
import { embeddedTypeMeta, type TypeMeta, typeMetaFields } from './type-meta.ts';
import { untaggedField } from './untagged-field.ts';

/**
 * Compiles a schema to a function. A struct is compiled when its first value arrives, so that unused types cost
 * nothing.
 */
function compileValue(schema: Schema): Normalizer {
  if (schema.structural !== undefined) return customNormalizer(schema, { compileBuiltIn: compileValue });
  switch (schema.type) {
    case 'scalar':
      return scalarNormalizers[schema.kind];
    case 'struct':
      return compileStruct(schema);
    case 'list':
      return listNormalizer(elementRules(schema, schema.items));
    case 'map':
      return compileMap(schema);
  }
}

function compileMap(schema: MapSchema): Normalizer {
  const { values } = schema;
  const kind = values.type === 'scalar' ? values.kind : undefined;
  if (kind === 'string') return stringMapNormalizer(goTypeName(schema));
  const normalize = mapNormalizer(elementRules(schema, values));
  return kind === 'quantity' ? withExactQuantities(normalize) : normalize;
}

function withExactQuantities(normalize: Normalizer): Normalizer {
  return (value, pass) => {
    const result = normalize(value, pass) as Record<string, unknown> | null;
    if (result !== null) recordExactQuantities(value as Record<string, unknown>, result);
    return result;
  };
}

function elementRules(container: Schema, element: Schema) {
  return { normalize: compileValue(element), zero: compileZero(element), goType: goTypeName(container) };
}

function compileZero(schema: Schema): Normalizer {
  // An untagged struct without a set field is encoded as null.
  if (schema.type === 'struct' && schema.untagged !== true) {
    const normalize = compileStruct(schema);
    return (_value, pass) => normalize({}, pass);
  }
  // Empty bytes in a list or map are encoded as the empty string, not as null.
  const zero = schema.type !== 'scalar' ? null : schema.kind === 'bytes' ? '' : scalarZeros[schema.kind];
  return () => zero;
}

const structs = new WeakMap<StructSchema, Normalizer>();

/** Caches one function per type, because recursive types refer to themselves. */
function compileStruct(schema: StructSchema): Normalizer {
  let normalize = structs.get(schema);
  if (normalize === undefined) {
    normalize = schema.untagged === true ? compileUntagged(schema) : compileObject(schema, embeddedTypeMeta(schema));
    structs.set(schema, normalize);
  }
  return normalize;
}

/** With `typeMeta`, the result has `kind` and `apiVersion`. */
export function compileObject(schema: StructSchema, typeMeta?: TypeMeta): Normalizer {
  if (schema.structural !== undefined) return customNormalizer(schema, { compileBuiltIn: compileValue, typeMeta });
  let plan: StructPlan | undefined;
  return (value, pass) => {
    plan ??= planStruct(schema, typeMeta);
    return plan.normalize(value, pass);
  };
}

function planStruct(schema: StructSchema, typeMeta: TypeMeta | undefined): StructPlan {
  return new StructPlan(goTypeName(schema), planFields(schema, typeMeta));
}

/** The fields of the canonical object, in order. */
export function planFields(schema: StructSchema, typeMeta: TypeMeta | undefined): FieldPlan[] {
  const leading = typeMeta === undefined ? [] : planTypeMeta(schema, typeMeta);
  const own = jsonFields(schema).map(
    (field) => new FieldPlan(field, { owner: schema, normalize: compileValue(field.schema) }),
  );
  return [...leading, ...own];
}

function planTypeMeta(owner: StructSchema, typeMeta: TypeMeta): FieldPlan[] {
  return typeMetaFields.map((field) => {
    const expected = typeMeta[field.name];
    const checkText = compileValue(field.schema);
    if (expected === undefined) return new FieldPlan(field, { owner, normalize: checkText });
    const normalize: Normalizer = (value, pass) => {
      checkText(value, pass);
      return expected;
    };
    return new FieldPlan(field, { owner, normalize, absent: { writes: 'constant', value: expected } });
  });
}

/** The JSON type of the value determines the field. */
function compileUntagged(schema: StructSchema): Normalizer {
  const normalizers = new Map<Field, Normalizer>();
  return (value, pass) => {
    const field = untaggedField(schema, value);
    if (field === undefined) return null;
    let normalize = normalizers.get(field);
    if (normalize === undefined) {
      normalize = compileValue(field.schema);
      normalizers.set(field, normalize);
    }
    return normalize(value, pass);
  };
}
