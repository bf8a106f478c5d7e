import { apiVersionOf } from '../../meta/group-version.ts';
import { string } from '../builders.ts';
import { ObjectMeta } from '../meta-types.ts';
import type { Field, ListSchema, MapSchema, ScalarKind, Schema, StructSchema, Structural } from '../model.ts';
import {
  isEmbedded,
  itemSchema,
  type JsonSchema,
  objectFieldNames,
  preservesUnknown,
  schemaOf,
} from './json-schema.ts';

export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Converts the schema of a custom resource to the schema model. Each node is converted when it is first used, so that a
 * definition without objects costs almost nothing.
 */
export function customSchema(source: JsonSchema, { group, version, kind }: CustomKind): StructSchema {
  return new CustomStruct(
    { ...structuralOf(source), embedded: true },
    {
      name: `${apiVersionOf({ group, version })}.${kind}`,
      isRoot: true,
    },
  );
}

class CustomStruct implements StructSchema {
  readonly type = 'struct';
  readonly name: string;
  readonly atomic: boolean;
  readonly unions = [];
  readonly structural: Structural;
  readonly #isRoot: boolean;
  #fields: readonly Field[] | undefined;

  constructor(structural: Structural, { name, isRoot }: { readonly name: string; readonly isRoot: boolean }) {
    this.name = name;
    this.atomic = structural.map === 'atomic';
    this.structural = structural;
    this.#isRoot = isRoot;
  }

  /** In alphabetical order. */
  get fields(): readonly Field[] {
    this.#fields ??= this.#makeFields();
    return this.#fields;
  }

  #makeFields(): readonly Field[] {
    const { embedded, source } = this.structural;
    const { properties = {} } = source;
    const declared = Object.keys(properties).filter((name) => !embedded || !objectFieldNames.has(name));
    const fields = declared.map((name) => customField(name, properties[name]!));
    if (embedded && !this.#isRoot) fields.push(...this.#objectFields());
    fields.sort((left, right) => (left.name < right.name ? -1 : 1));
    // The store finds the uid of an object before its first free-form field.
    return this.#isRoot ? [{ name: 'metadata', number: 1, schema: ObjectMeta }, ...fields] : fields;
  }

  /** The root has its `kind` and `apiVersion` from its definition, as a built-in type has. */
  #objectFields(): Field[] {
    const { properties = {} } = this.structural.source;
    return [
      { name: 'apiVersion', number: 0, schema: string, pointer: true },
      { name: 'kind', number: 0, schema: string, pointer: true },
      { name: 'metadata', number: 0, schema: ObjectMeta, pointer: true },
    ].map((field) => withDefault(field, properties[field.name]?.default));
  }
}

class CustomList implements ListSchema {
  readonly type = 'list';
  readonly structural: Structural;
  #items: Schema | undefined;

  constructor(structural: Structural) {
    this.structural = structural;
  }

  get items(): Schema {
    this.#items ??= customNode(itemSchema(this.structural.source));
    return this.#items;
  }
}

class CustomMap implements MapSchema {
  readonly type = 'map';
  readonly structural: Structural;
  #values: Schema | undefined;

  constructor(structural: Structural) {
    this.structural = structural;
  }

  get values(): Schema {
    this.#values ??= customNode(schemaOf(this.structural.source.additionalProperties));
    return this.#values;
  }
}

function customField(name: string, source: JsonSchema): Field {
  const schema = customNode(source);
  return withDefault({ name, number: 0, schema, pointer: true }, schema.structural?.default);
}

/** Null is not a default. */
function withDefault(field: Field, value: unknown): Field {
  return value === undefined || value === null ? field : { ...field, default: value };
}

/** Items or map values without a schema have no fields. */
const unspecified: JsonSchema = {};

function customNode(source: JsonSchema = unspecified): Schema {
  const structural = structuralOf(source);
  switch (source.type) {
    case 'array':
      return new CustomList(structural);
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
      return { type: 'scalar', kind: scalarKinds[source.type], structural };
    default:
      if (source['x-kubernetes-int-or-string'] === true) return { type: 'scalar', kind: 'intOrString', structural };
      if (source.additionalProperties !== undefined) return new CustomMap(structural);
      if (source.type === 'object' || source.properties !== undefined || structural.embedded) {
        return new CustomStruct(structural, { name: 'map[string]interface {}', isRoot: false });
      }
      return { type: 'scalar', kind: 'json', structural };
  }
}

const scalarKinds = {
  string: 'string',
  boolean: 'bool',
  integer: 'int64',
  number: 'float64',
} as const satisfies Record<string, ScalarKind>;

function structuralOf(source: JsonSchema): Structural {
  const list = listTypeOf(source);
  const map = source['x-kubernetes-map-type'];
  return {
    source,
    nullable: source.nullable === true,
    open: preservesUnknown(source),
    embedded: isEmbedded(source),
    // Null is not a default.
    default: source.default ?? undefined,
    ...(list !== undefined && { list }),
    ...((map === 'atomic' || map === 'granular') && { map }),
  };
}

function listTypeOf(source: JsonSchema): Structural['list'] {
  const type = source['x-kubernetes-list-type'];
  if (type === 'map') return source['x-kubernetes-list-map-keys'] ?? [];
  return type === 'set' || type === 'atomic' ? type : undefined;
}
