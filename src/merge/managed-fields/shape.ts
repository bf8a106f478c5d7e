import type { Field, FieldOptions, ListSchema, ScalarKind, Schema, StructSchema } from '../../schema/model.ts';
import { type AbsentField, absentField } from '../../schema/normalize/absent-field.ts';
import { scalarZeros } from '../../schema/normalize/scalars.ts';
import { jsonFields } from '../../schema/normalize/struct-fields.ts';
import { embeddedTypeMeta, typeMetaFields } from '../../schema/normalize/type-meta.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/**
 * What ownership and merging need to know of a type. Made from its schema; a type may refer to itself. What is `atomic` is
 * owned, merged and replaced as one value.
 */
export type Shape = ScalarShape | AnyShape | StructShape | MapShape | ListShape;

export interface ScalarShape {
  readonly type: 'scalar';
  readonly atomic: true;
  readonly kind: ScalarKind;
}

/** Unknown to the schema. The value tells: objects are merged field by field, all else is one value. */
export interface AnyShape {
  readonly type: 'any';
  readonly atomic: false;
}

export interface StructShape {
  readonly type: 'struct';
  readonly atomic: boolean;
  /** Computed on first use. */
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** The shape of fields that are not declared. Undefined: there are none. */
  readonly rest?: Shape;
}

export interface FieldShape {
  readonly element: PathElement;
  readonly shape: Shape;
  /** `no` for what the server alone decides about an object, such as its uid: nobody owns it. */
  readonly tracked: 'yes' | 'no' | 'members only';
  /** What an object has where the client gave nothing: a default, or what is always written. */
  readonly default: unknown;
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
  /** How elements are told apart. `atomic`: not at all. */
  readonly elements: 'atomic' | 'set' | readonly KeyField[];
  readonly items: Shape;
}

export interface KeyField {
  readonly name: string;
  /** What an element has that does not say. Undefined: such an element has no such key. */
  readonly default: unknown;
}

export const anyShape: AnyShape = { type: 'any', atomic: false };

/** The shape of what is not a declared field. */
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

/** The shape of objects of a kind. The same schema gives the same shape. */
export function kindShape(schema: StructSchema): StructShape {
  let shape = kinds.get(schema);
  if (shape === undefined) {
    shape = lazyStruct(false, () => rootFields(structFields(schema)));
    kinds.set(schema, shape);
  }
  return shape;
}

/** For custom resources whose definition says nothing of some fields, or of none but the metadata. */
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
  return lazyStruct(false, () => {
    return new Map(
      Array.from(fields, ([name, field]) => [name, untrackedMetadata.has(name) ? { ...field, tracked: 'no' } : field]),
    );
  });
}

const granularStructs = new WeakMap<StructSchema, StructShape>();
const atomicStructs = new WeakMap<StructSchema, StructShape>();

/** Made as late as possible, because types refer to themselves. */
function structShape(schema: StructSchema, atomic: boolean): StructShape {
  const known = atomic ? atomicStructs : granularStructs;
  let shape = known.get(schema);
  if (shape === undefined) {
    shape = lazyStruct(atomic, () => structFields(schema));
    known.set(schema, shape);
  }
  return shape;
}

function lazyStruct(atomic: boolean, fields: () => ReadonlyMap<string, FieldShape>): StructShape {
  let resolved: ReadonlyMap<string, FieldShape> | undefined;
  return {
    type: 'struct',
    atomic,
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
    default: field.default,
    absent: owner === undefined ? { writes: 'nothing' } : absentField(owner, field),
  };
}

function shapeOf(schema: Schema, options: FieldOptions): Shape {
  switch (schema.type) {
    case 'scalar':
      return scalarShape(schema.kind, options);
    case 'struct':
      if (schema.untagged === true) return anyShape;
      return structShape(schema, options.map === undefined ? schema.atomic : options.map === 'atomic');
    case 'map':
      return { type: 'map', atomic: options.map === 'atomic', values: shapeOf(schema.values, {}) };
    case 'list':
      return listShape(schema, options);
  }
}

function scalarShape(kind: ScalarKind, { map }: FieldOptions): Shape {
  switch (kind) {
    case 'json':
    case 'rawExtension':
    case 'fieldsV1':
      return map === 'atomic' ? { type: 'scalar', atomic: true, kind } : anyShape;
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

/** A key that every element writes is there even if the client left it out. */
function keyDefault(field: Field | undefined): unknown {
  if (field === undefined || field.default !== undefined) return field?.default;
  return field.always === true && field.schema.type === 'scalar' ? scalarZeros[field.schema.kind] : undefined;
}
