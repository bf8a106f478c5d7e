import * as build from '../../src/schema/builders.ts';
import { ObjectMeta } from '../../src/schema/meta-types.ts';
import type { ScalarSchema, StructSchema } from '../../src/schema/model.ts';

const { field, listOf, mapOf, namedList, struct } = build;

/** A type that has the scalar in every possible place. */
const placesOf = (scalar: ScalarSchema): StructSchema =>
  struct(`test/v1.${scalar.kind}Places`, () => ({
    value: field(1, scalar),
    always: field(2, scalar, { always: true }),
    pointer: field(3, scalar, { pointer: true }),
    list: field(4, listOf(scalar)),
    map: field(5, mapOf(scalar)),
  }));

const scalars = Object.values<unknown>(build).filter((built): built is ScalarSchema => typeof built === 'object');
const scalarFields = scalars.map((scalar, index) => [scalar.kind, field(20 + index, placesOf(scalar))] as const);

/** A type with every kind of scalar and every kind of container. No built-in type has all of them. */
export const everyKindOfField: StructSchema = struct('test/v1.EveryKindOfField', () => ({
  metadata: field(1, ObjectMeta),
  child: field(2, everyKindOfField, { pointer: true }),
  children: field(3, listOf(everyKindOfField)),
  byName: field(4, mapOf(everyKindOfField), { always: true }),
  lists: field(5, mapOf(namedList('test/v1.Texts', build.string))),
  inlined: field(6, inlined, { inline: true }),
  either: field(7, either, { pointer: true }),
  eithers: field(8, mapOf(either)),
  ...Object.fromEntries(scalarFields),
}));

const inlined = struct('test/v1.Inlined', () => ({
  count: field(1, build.int32, { always: true }),
  text: field(2, build.string, { default: 'none' }),
}));

const either = struct(
  'test/v1.Either',
  () => ({ list: field(1, listOf(build.string)), object: field(2, everyKindOfField, { pointer: true }) }),
  { untagged: true },
);
