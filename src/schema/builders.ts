import type { Field, FieldOptions, ScalarKind, Schema, StructSchema, Union } from './model.ts';
import type { FieldOf, ListOf, MapOf, ScalarOf, StructOf, UntaggedOf } from './type-of.ts';

/**
 * Functions that describe types:
 *
 *     export const ContainerPort = struct('core/v1.ContainerPort', () => ({
 *       name: field(1, string),
 *       containerPort: field(3, int32, { required: true, always: true }),
 *       protocol: field(4, string, { default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] }),
 *     }));
 */
const scalar = <Kind extends ScalarKind>(kind: Kind, name?: string) =>
  ({ type: 'scalar', kind, ...(name !== undefined && { name }) }) as ScalarOf<Kind>;

export const string = scalar('string');
export const bool = scalar('bool');
export const int32 = scalar('int32');
export const int64 = scalar('int64');
export const uint32 = scalar('uint32');
export const float64 = scalar('float64');
export const bytes = scalar('bytes');
export const time = scalar('time');
export const microTime = scalar('microTime');
export const duration = scalar('duration');
export const quantity = scalar('quantity');
export const intOrString = scalar('intOrString');
export const rawExtension = scalar('rawExtension');
export const fieldsV1 = scalar('fieldsV1');
export const json = scalar('json');

/** A string of a named type. Only the messages about values of another type show the name. */
export function namedString(name: string): ScalarOf<'string'> {
  return scalar('string', name);
}

export function listOf<Items extends Schema>(items: Items): ListOf<Items> {
  return { type: 'list', items } as ListOf<Items>;
}

/** A list that is a named type; protobuf wraps it in a message. */
export function namedList<Items extends Schema>(name: string, items: Items): ListOf<Items> {
  return { type: 'list', items, name } as ListOf<Items>;
}

export function mapOf<Values extends Schema>(values: Values): MapOf<Values> {
  return { type: 'map', values } as MapOf<Values>;
}

export function field<Of extends Schema, const Options extends FieldOptions = Record<never, never>>(
  number: number,
  schema: Of,
  options?: Options,
): FieldOf<Of, Options> {
  return { number, schema, ...options } as FieldOf<Of, Options>;
}

interface StructOptions {
  readonly atomic?: boolean;
  readonly unions?: readonly Union[];
}

/**
 * `fields` runs on first use, so that types can refer to each other in any order, and to themselves. In a type that
 * contains itself, the fields that lead back to it are getters, because TypeScript then infers them on first use, too.
 */
export function struct<Fields>(name: string, fields: () => Fields, options?: StructOptions): StructOf<Fields>;
export function struct<Fields>(
  name: string,
  fields: () => Fields,
  options: StructOptions & { readonly untagged: true },
): UntaggedOf<Fields>;
export function struct(
  name: string,
  fields: () => unknown,
  options: StructOptions & { readonly untagged?: boolean } = {},
): StructSchema {
  let resolved: readonly Field[] | undefined;
  return {
    type: 'struct',
    name,
    get fields() {
      resolved ??= namedFields(fields() as Record<string, FieldEntry>);
      return resolved;
    },
    atomic: options.atomic ?? false,
    unions: options.unions ?? [],
    untagged: options.untagged ?? false,
  };
}

type FieldEntry = Omit<Field, 'name'>;

function namedFields(fields: Record<string, FieldEntry>): readonly Field[] {
  return Object.entries(fields).map(([name, entry]) => ({ name, ...entry }));
}
