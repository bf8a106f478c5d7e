import { describe, expectTypeOf, it } from 'vitest';
import { bool, field, int32, intOrString, json, listOf, mapOf, quantity, string, struct, time } from './builders.ts';
import { ObjectMeta } from './meta-types.ts';
import type { StructSchema } from './model.ts';
import type { ObjectOf, TypeOf } from './type-of.ts';

const Reference = struct('test/v1.Reference', () => ({ name: field(1, string, { required: true, always: true }) }));
const TreeOrBool = struct(
  'test/v1.TreeOrBool',
  () => ({
    Allows: field(1, bool, { always: true }),
    get Tree() {
      return field(2, Tree, { pointer: true, always: true });
    },
  }),
  { untagged: true },
);
const Tree = struct('test/v1.Tree', () => ({
  value: field(1, int32),
  get children() {
    return field(2, listOf(Tree));
  },
  get others() {
    return field(3, TreeOrBool, { pointer: true });
  },
}));
const Plant = struct('test/v1.Plant', () => ({
  metadata: field(1, ObjectMeta),
  reference: field(2, Reference, { inline: true }),
  port: field(3, intOrString),
  limits: field(4, mapOf(quantity)),
  names: field(5, listOf(string), { always: true }),
  bornAt: field(6, time),
  diedAt: field(7, time, { pointer: true }),
  anything: field(8, json),
  tree: field(9, Tree, { pointer: true }),
  untyped: field(10, Reference as StructSchema),
}));

describe('TypeOf', () => {
  it('has the fields of the struct, all optional, with those of inline structs', () => {
    expectTypeOf<TypeOf<typeof Plant>['name']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<TypeOf<typeof Plant>['port']>().toEqualTypeOf<number | string | undefined>();
    expectTypeOf<TypeOf<typeof Plant>['limits']>().toEqualTypeOf<Record<string, string> | undefined>();
    expectTypeOf<TypeOf<typeof Plant>>().not.toHaveProperty('reference');
  });

  it('is nullable where canonical form has null', () => {
    expectTypeOf<TypeOf<typeof Plant>['names']>().toEqualTypeOf<string[] | null | undefined>();
    expectTypeOf<TypeOf<typeof Plant>['bornAt']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<TypeOf<typeof Plant>['diedAt']>().toEqualTypeOf<string | undefined>();
  });

  it('is unknown for JSON and for schemas without a static type', () => {
    expectTypeOf<TypeOf<typeof Plant>['anything']>().toBeUnknown();
    expectTypeOf<TypeOf<typeof Plant>['untyped']>().toBeUnknown();
  });

  it('follows types that contain themselves', () => {
    type Node = NonNullable<TypeOf<typeof Plant>['tree']>;
    type Deep = NonNullable<NonNullable<Node['children']>[number]['children']>[number];
    expectTypeOf<Deep['value']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Extract<Deep['others'], boolean>>().toEqualTypeOf<boolean>();
    expectTypeOf<Exclude<Deep['others'], boolean | undefined>['value']>().toEqualTypeOf<number | undefined>();
  });
});

describe('ObjectOf', () => {
  it('has the metadata that all objects have', () => {
    expectTypeOf<ObjectOf<typeof Plant>['metadata']['uid']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ObjectOf<typeof Plant>['apiVersion']>().toEqualTypeOf<string | undefined>();
  });
});
