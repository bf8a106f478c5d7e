import {
  boolType,
  bytesType,
  type CelField,
  type CelType,
  doubleType,
  dynType,
  escapeFieldName,
  intType,
  listType,
  mapType,
  type ObjectType,
  stringType,
  timestampType,
} from '../../cel/index.ts';
import type { ScalarKind, Schema, StructSchema } from '../model.ts';
import { jsonFields } from '../normalize/struct-fields.ts';
import { embeddedTypeMeta, typeMetaFields } from '../normalize/type-meta.ts';
import { schemaType } from './schema-type.ts';

/** Returns the type that expressions see for the objects of a kind, without the sizes that cost estimates need. */
export function objectType(schema: StructSchema, kind: string): ObjectType {
  return structType(schema, { name: kind, isRoot: true });
}

/** Undefined when expressions cannot see the values. */
function typeOf(schema: Schema, name: string): CelType | undefined {
  if (schema.structural !== undefined) return schemaType(schema.structural.source, { isRoot: false })?.type;
  switch (schema.type) {
    case 'scalar':
      return scalarType(schema.kind, name);
    case 'list': {
      const items = typeOf(schema.items, `${name}.@idx`);
      return items && listType(items);
    }
    case 'map': {
      const values = typeOf(schema.values, `${name}.@elem`);
      return values && mapType(stringType, values);
    }
    case 'struct':
      return schema.untagged === true ? dynType : structType(schema, { name, isRoot: false });
  }
}

function scalarType(kind: ScalarKind, name: string): CelType | undefined {
  switch (kind) {
    case 'bool':
      return boolType;
    case 'int32':
    case 'int64':
    case 'uint32':
      return intType;
    case 'float64':
      return doubleType;
    case 'bytes':
      return bytesType;
    case 'time':
    case 'microTime':
      return timestampType;
    case 'intOrString':
    case 'quantity':
      return dynType;
    case 'rawExtension':
    case 'fieldsV1':
      return { kind: 'object', name, fields: {}, maxElements: 0 };
    case 'json':
      return undefined;
    default:
      return stringType;
  }
}

interface StructTypeName {
  readonly name: string;
  readonly isRoot: boolean;
}

/** The fields are computed on first use: types may be large, or contain themselves. */
function structType(schema: StructSchema, { name, isRoot }: StructTypeName): ObjectType {
  let known: Readonly<Record<string, CelField>> | undefined;
  return {
    kind: 'object',
    name,
    maxElements: 0,
    get fields() {
      known ??= fieldsOf(schema, { name, isRoot });
      return known;
    },
  };
}

function fieldsOf(schema: StructSchema, { name, isRoot }: StructTypeName): Record<string, CelField> {
  const fields = Object.create(null) as Record<string, CelField>;
  const hasTypeMeta = isRoot || embeddedTypeMeta(schema) !== undefined;
  for (const field of [...(hasTypeMeta ? typeMetaFields : []), ...jsonFields(schema)]) {
    const escaped = escapeFieldName(field.name);
    const type = typeOf(field.schema, `${name}.${escaped ?? field.name}`);
    if (escaped !== undefined && type !== undefined) fields[escaped] = { type, required: field.required === true };
  }
  return fields;
}
