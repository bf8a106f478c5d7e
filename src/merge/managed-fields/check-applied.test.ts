import { expect, test } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { checkApplied } from './check-applied.ts';
import { Ship } from './conformance/ship.conformance.ts';
import { kindShape } from './shape.ts';

const check = (spec: unknown) =>
  checkApplied(kindShape(Ship), {
    apiVersion: 'sea/v1',
    kind: 'Ship',
    metadata: { name: 'x' },
    spec,
  } as ResourceObject)?.message;

test.each<[unknown, string]>([
  [{ sail: 1 }, '.spec.sail: field not declared in schema'],
  ['x', '.spec: expected map, got &{x}'],
  [{ flags: [1, 'a'] }, '.spec.flags: expected map, got &{[1 a]}'],
  [{ flags: { a: 5 } }, '.spec.flags.a: expected string, got &value.valueUnstructured{Value:5}'],
  [
    { flags: { a: { b: ['c', null] } } },
    '.spec.flags.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{"c", interface {}(nil)}}}',
  ],
  [{ size: '5' }, '.spec.size: expected numeric (int or float), got string'],
  [{ size: true }, '.spec.size: expected numeric (int or float), got bool'],
  [{ size: {} }, '.spec.size: expected numeric (int or float), got map[string]interface {}'],
  [{ crew: [{ name: 'a', kit: { boots: 'yes' } }] }, '.spec.crew[name="a"].kit.boots: expected boolean, got &{yes}'],
  [{ limits: { cpu: {} } }, '.spec.limits.cpu: expected any scalar, got &{map[]}'],
  [{ crew: { a: 1 } }, '.spec.crew: expected list, got &{map[a:1]}'],
  [{ crew: [{ name: 'a' }, { name: 'a' }] }, '.spec.crew: duplicate entries for key [name="a"]'],
  [{ colours: ['a', 'b', 'a'] }, '.spec.colours: duplicate entries for key [="a"]'],
  [{ colours: [['a']] }, '.spec.colours: element 0: not supported: associative list with lists as elements'],
  [{ log: [{ name: 'a' }, { age: 3 }] }, '.spec.log[1].age: field not declared in schema'],
])('%j', (spec, message) => {
  expect(check(spec)).toBe(`failed to create typed patch object (/x; sea/v1, Kind=Ship): ${message}`);
});

test.each<[unknown]>([
  [undefined],
  [null],
  [{ name: null, flags: null, crew: null, engine: null }],
  [{ limits: { cpu: 1, memory: '1Gi' }, engine: { tank: 5 } }],
  [{ cargo: { anything: [1, { x: [] }] } }],
  [{ log: [{ name: 'a' }, { name: 'a' }], route: ['x', 'x'] }],
  [{ size: 2n ** 62n }],
])('%s is valid', (spec) => {
  expect(check(spec)).toBeUndefined();
});

test('all errors are listed in order with the group and version as sent', () => {
  const applied = { apiVersion: 'v1', kind: 'Ship', metadata: { name: 'x', namespace: 'sea', foo: 1 }, bar: 1 };
  expect(checkApplied(kindShape(Ship), applied)?.message).toBe(
    'failed to create typed patch object (sea/x; /v1, Kind=Ship): errors:\n  .bar: field not declared in schema\n  .metadata.foo: field not declared in schema',
  );
});

test.each<[string, unknown, string]>([
  ['one unknown field of an object', { sail: 1, sailor: 2 }, '.spec.sail: field not declared in schema'],
  [
    'no mistake after an unknown field of an object',
    { size: '5', sail: 1, flags: 7 },
    'errors:\n  .spec.flags: expected map, got &{7}\n  .spec.sail: field not declared in schema',
  ],
  [
    'the unknown fields of several objects',
    {
      log: [
        { name: 'a', age: 3 },
        { age: 4, name: 5 },
      ],
    },
    'errors:\n  .spec.log[0].age: field not declared in schema\n  .spec.log[1].age: field not declared in schema',
  ],
])('the message of kube-apiserver names %s', (_title, spec, message) => {
  const applied = { apiVersion: 'sea/v1', kind: 'Ship', metadata: { name: 'x' }, spec } as ResourceObject;
  expect(checkApplied(kindShape(Ship), applied)?.original).toBe(
    `failed to create typed patch object (/x; sea/v1, Kind=Ship): ${message}`,
  );
});

test.each<[string, object, string]>([
  ['a number', { name: 5 }, '.metadata.name: expected string, got &value.valueUnstructured{Value:5}'],
  [
    'a map',
    { name: { a: null }, namespace: 's' },
    '.metadata.name: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":interface {}(nil)}}',
  ],
])('a name that is %s is not shown', (_title, metadata, message) => {
  const namespace = 'namespace' in metadata ? metadata.namespace : '';
  const applied = { apiVersion: 'sea/v1', kind: 'Ship', metadata } as ResourceObject;
  expect(checkApplied(kindShape(Ship), applied)?.message).toBe(
    `failed to create typed patch object (${namespace}/; sea/v1, Kind=Ship): ${message}`,
  );
});
