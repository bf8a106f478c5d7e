import type { Field, Schema, StructSchema } from '../schema/model.ts';

/** In what the types of one version differ from those of another one. All names are without the package. */
export interface VersionDifferences {
  /** The package that is described, such as `resource/v1`. */
  readonly from: string;
  /** The package of the other version. */
  readonly to: string;
  /** Types that the other version has in another shape. Each gets the type as it would be in the same shape. */
  readonly replaced?: Readonly<Record<string, (same: StructSchema) => StructSchema>>;
  /** Types that the other version uses as they are, from the package `from`. */
  readonly kept?: readonly string[];
  /** Fields, as `Type.field`, whose values the other version does not list. */
  readonly withoutEnum?: readonly string[];
  /** Types that server-side apply merges field by field in the other version. */
  readonly granular?: readonly string[];
}

/**
 * Derives the types of another version from those that are described, so that a shape is described once. Each type is made
 * when it is asked for, and its fields on first use, as with all types.
 */
export function anotherVersion(differences: VersionDifferences): (schema: StructSchema) => StructSchema {
  const { from, to, replaced = {}, kept = [], withoutEnum = [], granular = [] } = differences;
  const made = new Map<StructSchema, StructSchema>();
  const structIn = (source: StructSchema): StructSchema => {
    const name = source.name.slice(from.length + 1);
    if (source.name !== `${from}.${name}` || kept.includes(name)) return source;
    const known = made.get(source);
    if (known !== undefined) return known;
    const same = derived(source, name);
    const struct = Object.hasOwn(replaced, name) ? replaced[name]!(same) : same;
    made.set(source, struct);
    return struct;
  };
  const schemaIn = (schema: Schema): Schema => {
    if (schema.type === 'struct') return structIn(schema);
    if (schema.type === 'list') return { ...schema, items: schemaIn(schema.items) };
    return schema.type === 'map' ? { ...schema, values: schemaIn(schema.values) } : schema;
  };
  const fieldIn = (name: string, { enum: values, ...field }: Field): Field => {
    const listed = values !== undefined && !withoutEnum.includes(`${name}.${field.name}`);
    return { ...field, schema: schemaIn(field.schema), ...(listed && { enum: values }) };
  };
  const derived = (source: StructSchema, name: string): StructSchema => {
    let fields: readonly Field[] | undefined;
    return {
      type: 'struct',
      name: `${to}.${name}`,
      get fields() {
        fields ??= source.fields.map((field) => fieldIn(name, field));
        return fields;
      },
      atomic: source.atomic && !granular.includes(name),
      unions: source.unions,
      untagged: source.untagged ?? false,
    };
  };
  return structIn;
}

/** A type with some fields in another form. */
export function withFields(source: StructSchema, changes: Readonly<Record<string, Partial<Field>>>): StructSchema {
  let fields: readonly Field[] | undefined;
  return {
    ...source,
    get fields() {
      fields ??= source.fields.map((field) => ({ ...field, ...changes[field.name] }));
      return fields;
    },
  };
}
