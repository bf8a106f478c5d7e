import type { ResourceObject } from '../meta/object.ts';
import type { Field, ListSchema, MapSchema, ScalarKind, ScalarSchema, Schema, StructSchema } from './model.ts';

/**
 * The TypeScript type of the values of a schema in canonical form:
 *
 *     export type ContainerPort = TypeOf<typeof ContainerPort>;
 *
 * Every field is optional: rules also see incomplete objects, and absent and zero are the same for fields that are not
 * pointers in Go. Fields are nullable where canonical form has null for an absent value.
 */
export type TypeOf<Of> = Of extends { readonly [value]: infer Value } ? Value : unknown;

/** The type of the objects of a kind. */
export type ObjectOf<Of> = ResourceObject & Omit<TypeOf<Of>, 'metadata'>;

// What the builders return. The property `value` exists in types only. TypeScript computes it on first use, as the
// schemas compute their fields.

declare const value: unique symbol;

export interface ScalarOf<Kind extends ScalarKind> extends ScalarSchema {
  readonly kind: Kind;
  readonly [value]: ScalarValues[Kind];
}

export interface ListOf<Items extends Schema> extends ListSchema {
  readonly [value]: TypeOf<Items>[];
}

export interface MapOf<Values extends Schema> extends MapSchema {
  readonly [value]: Record<string, TypeOf<Values>>;
}

export interface StructOf<Fields> extends StructSchema {
  readonly [value]: StructValue<Fields>;
}

export interface UntaggedOf<Fields> extends StructSchema {
  readonly [value]: Choice<Fields[keyof Fields]>;
}

export interface FieldOf<Of extends Schema, Options> extends Omit<Field, 'name'> {
  readonly schema: Of;
  readonly [value]: TypeOf<Of> | AbsentValue<Of, Options>;
  readonly [isInline]: Options extends { readonly inline: true } ? true : false;
}

declare const isInline: unique symbol;

type StructValue<Fields> = {
  [Name in Exclude<keyof Fields, InlineName<Fields>>]?: TypeOf<Fields[Name]>;
} & InlineValue<Fields[InlineName<Fields>]>;

type InlineName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly [isInline]: true } ? Name : never;
}[keyof Fields];

/** No struct has two inline fields. */
type InlineValue<Inline> = [Inline] extends [never] ? unknown : TypeOf<Inline>;

type Choice<Alternative> = Alternative extends { readonly schema: infer Of } ? TypeOf<Of> : unknown;

/** As `absentField` decides, without the zero values. */
type AbsentValue<Of, Options> = Options extends { readonly pointer: true }
  ? NullIfAlways<Options>
  : Of extends { readonly kind: 'time' | 'microTime' }
    ? null
    : Of extends { readonly type: 'list' | 'map' } | { readonly kind: 'bytes' | 'rawExtension' | 'fieldsV1' | 'json' }
      ? NullIfAlways<Options>
      : never;

type NullIfAlways<Options> = Options extends { readonly always: true } ? null : never;

interface ScalarValues {
  string: string;
  bool: boolean;
  int32: number;
  /** Or a bigint, beyond the integers that a number represents exactly. No rule reads such a value. */
  int64: number;
  uint32: number;
  float64: number;
  bytes: string;
  time: string;
  microTime: string;
  duration: string;
  quantity: string;
  intOrString: number | string;
  rawExtension: unknown;
  fieldsV1: unknown;
  json: unknown;
}
