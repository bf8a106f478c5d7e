import type {
  Field,
  FieldOptions,
  ListSchema,
  ScalarKind,
  ScalarSchema,
  Schema,
  StructSchema,
} from '../../schema/model.ts';
import { type AbsentField, absentField } from '../../schema/normalize/absent-field.ts';
import { scalarZeros } from '../../schema/normalize/scalars.ts';
import { jsonFields } from '../../schema/normalize/struct-fields.ts';
import { embeddedTypeMeta, typeMetaFields } from '../../schema/normalize/type-meta.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/**
 * The properties of a type that ownership and merging depend on. Derived from its schema; types may be recursive. An
 * `atomic` value is owned, merged and replaced as a whole.
 */
export type Shape = ScalarShape | AnyShape | StructShape | MapShape | ListShape;

export interface ScalarShape {
  readonly type: 'scalar';
  readonly atomic: true;
  readonly kind: ScalarKind;
  /** Whether quantities are compared by their text. */
  readonly isLiteral?: boolean;
}

/**
 * A value that the schema does not describe. Objects are merged field by field; any other value is treated as atomic.
 */
export interface AnyShape {
  readonly type: 'any';
  readonly atomic: false;
}

export interface StructShape {
  readonly type: 'struct';
  readonly atomic: boolean;
  /** Computed on first use. */
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** The shape of undeclared fields. Undefined when the type allows none. */
  readonly rest?: Shape;
}

export interface FieldShape {
  readonly element: PathElement;
  readonly shape: Shape;
  /** `no` for fields that only the server sets, such as the uid: they have no owner. */
  readonly tracked: 'yes' | 'no' | 'members only';
  /** The value when the client omits the field. */
  readonly absent: AbsentField;
}

export interface MapShape {
  readonly type: 'map';
  readonly atomic: boolean;
  readonly values: Shape;
}

export interface ListShape {
  readonly type: 'list';
  readonly atomic: boolean;
  /** How elements are identified. Elements of an `atomic` list are not. */
  readonly elements: 'atomic' | 'set' | readonly KeyField[];
  readonly items: Shape;
}

export interface KeyField {
  readonly name: string;
  /** The value for elements that omit the key. Undefined when such elements do not have this key. */
  readonly default: unknown;
}

export const anyShape: AnyShape = { type: 'any', atomic: false };

/** Returns the shape of undeclared fields. */
export function entryShape(shape: Shape): Shape | undefined {
  switch (shape.type) {
    case 'map':
      return shape.values;
    case 'struct':
      return shape.rest;
    case 'any':
      return shape;
    default:
      return undefined;
  }
}

const kinds = new WeakMap<StructSchema, StructShape>();

/** Returns the shape of objects of a kind. The same schema always returns the same shape. */
export function kindShape(schema: StructSchema): StructShape {
  let shape = kinds.get(schema);
  if (shape === undefined) {
    shape = lazyStruct(() => rootFields(structFields(schema)), { atomic: false, ...restOf(schema) });
    kinds.set(schema, shape);
  }
  return shape;
}

/** The shape of fields that the schema of a custom type does not describe, if it keeps them. */
function restOf({ structural }: StructSchema): { readonly rest?: Shape } {
  return structural?.open === true ? { rest: anyShape } : {};
}

/**
 * Returns the shape of custom resources whose definition leaves some fields unspecified, or all fields except the
 * metadata.
 */
export function openKindShape(schema: StructSchema): StructShape {
  const { atomic, fields } = kindShape(schema);
  return { type: 'struct', atomic, fields, rest: anyShape };
}

const untrackedMetadata: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]);

function rootFields(own: ReadonlyMap<string, FieldShape>): Map<string, FieldShape> {
  const fields = new Map(own);
  for (const field of typeMetaFields) fields.set(field.name, { ...fieldShape(field, undefined), tracked: 'no' });
  const metadata = fields.get('metadata');
  if (metadata?.shape.type === 'struct') {
    fields.set('metadata', { ...metadata, shape: metadataShape(metadata.shape), tracked: 'members only' });
  }
  return fields;
}

function metadataShape({ fields }: StructShape): StructShape {
  const tracked = () =>
    new Map(
      Array.from(fields, ([name, field]) => [name, untrackedMetadata.has(name) ? { ...field, tracked: 'no' } : field]),
    );
  return lazyStruct(tracked as () => Map<string, FieldShape>, { atomic: false });
}

const granularStructs = new WeakMap<StructSchema, StructShape>();
const atomicStructs = new WeakMap<StructSchema, StructShape>();

/** Computes the fields lazily, because types may be recursive. */
function structShape(schema: StructSchema, merging: 'atomic' | 'granular'): StructShape {
  const atomic = merging === 'atomic';
  const known = atomic ? atomicStructs : granularStructs;
  let shape = known.get(schema);
  if (shape === undefined) {
    shape = lazyStruct(() => structFields(schema), { atomic, ...restOf(schema) });
    known.set(schema, shape);
  }
  return shape;
}

function lazyStruct(
  fields: () => ReadonlyMap<string, FieldShape>,
  { atomic, rest }: { readonly atomic: boolean; readonly rest?: Shape },
): StructShape {
  let resolved: ReadonlyMap<string, FieldShape> | undefined;
  return {
    type: 'struct',
    atomic,
    ...(rest && { rest }),
    get fields() {
      resolved ??= fields();
      return resolved;
    },
  };
}

function structFields(schema: StructSchema): Map<string, FieldShape> {
  const typeMeta = embeddedTypeMeta(schema) === undefined ? [] : typeMetaFields;
  return new Map([...typeMeta, ...jsonFields(schema)].map((field) => [field.name, fieldShape(field, schema)]));
}

function fieldShape(field: Field, owner: StructSchema | undefined): FieldShape {
  return {
    element: fieldElement(field.name),
    shape: shapeOf(field.schema, field),
    tracked: 'yes',
    absent: owner === undefined ? { writes: 'nothing' } : absentField(owner, field),
  };
}

/** Custom types have the options of lists and maps on the nodes, not on the fields. */
function shapeOf(schema: Schema, fieldOptions: FieldOptions): Shape {
  const options: FieldOptions = schema.structural ?? fieldOptions;
  switch (schema.type) {
    case 'scalar':
      return scalarShape(schema, options);
    case 'struct':
      if (schema.untagged === true) return anyShape;
      return structShape(schema, options.map ?? (schema.atomic ? 'atomic' : 'granular'));
    case 'map':
      return { type: 'map', atomic: options.map === 'atomic', values: shapeOf(schema.values, {}) };
    case 'list':
      return listShape(schema, options);
  }
}

function scalarShape({ kind, structural }: ScalarSchema, { map }: FieldOptions): Shape {
  switch (kind) {
    case 'rawExtension':
      return { type: 'scalar', atomic: true, kind };
    case 'json':
    case 'fieldsV1':
      return map === 'atomic' ? { type: 'scalar', atomic: true, kind } : anyShape;
    case 'intOrString':
      // The schema of a custom type does not restrict such a value when it is merged.
      return { type: 'scalar', atomic: true, kind: structural === undefined ? kind : 'json' };
    default:
      return { type: 'scalar', atomic: true, kind };
  }
}

function listShape({ items }: ListSchema, { list = 'atomic' }: FieldOptions): ListShape {
  const shape = shapeOf(items, {});
  if (typeof list === 'string') return { type: 'list', atomic: list === 'atomic', elements: list, items: shape };
  const fields = items.type === 'struct' ? jsonFields(items) : [];
  const keys = list.toSorted().map((name) => {
    const field = fields.find((candidate) => candidate.name === name);
    return { name, default: keyDefault(field) };
  });
  return { type: 'list', atomic: false, elements: keys, items: shape };
}

/** A key that is always serialized has a value even if the client omits it. */
function keyDefault(field: Field | undefined): unknown {
  if (field === undefined || field.default !== undefined) return field?.default;
  if (field.keyDefault !== undefined) return field.keyDefault;
  return field.always === true && field.schema.type === 'scalar' ? scalarZeros[field.schema.kind] : undefined;
}
