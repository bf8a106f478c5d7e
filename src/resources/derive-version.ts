import type { Field, Schema, StructSchema } from '../schema/model.ts';

/** Differences between the types of two versions. Type names are without the package. */
export interface VersionDifferences {
  /** The package with the schemas, such as `resource/v1`. */
  readonly from: string;
  /** The package of the other version. */
  readonly to: string;
  /** Types whose fields differ. Each function gets the type derived with unchanged fields. */
  readonly replaced?: Readonly<Record<string, (same: StructSchema) => StructSchema>>;
  /** Types that the other version reuses from the package `from`. */
  readonly kept?: readonly string[];
  /** Fields, as `Type.field`, that are not an enum in the other version. */
  readonly withoutEnum?: readonly string[];
  /** Types that are not atomic for server-side apply in the other version. */
  readonly granular?: readonly string[];
}

/**
 * Derives the types of another version from existing schemas, so that shared fields are declared once. Types and fields
 * are created on first use.
 */
export function deriveVersion(differences: VersionDifferences): (schema: StructSchema) => StructSchema {
  const { from, to, replaced = {}, kept = [], withoutEnum = [], granular = [] } = differences;
  const derivedTypes = new Map<StructSchema, StructSchema>();
  const structIn = (source: StructSchema): StructSchema => {
    const name = source.name.slice(from.length + 1);
    if (source.name !== `${from}.${name}` || kept.includes(name)) return source;
    const known = derivedTypes.get(source);
    if (known !== undefined) return known;
    const same = derived(source, name);
    const struct = Object.hasOwn(replaced, name) ? replaced[name]!(same) : same;
    derivedTypes.set(source, struct);
    return struct;
  };
  const schemaIn = (schema: Schema): Schema => {
    if (schema.type === 'struct') return structIn(schema);
    if (schema.type === 'list') return { ...schema, items: schemaIn(schema.items) };
    if (schema.type === 'map') return { ...schema, values: schemaIn(schema.values) };
    const name = schema.name?.slice(from.length + 1) ?? '';
    return schema.name !== `${from}.${name}` || kept.includes(name) ? schema : { ...schema, name: `${to}.${name}` };
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

/** Returns the type with some properties of its fields replaced. */
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
