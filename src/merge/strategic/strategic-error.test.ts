import { describe, expect, test } from 'vitest';
import { field, listOf, mapOf, rawExtension, string, struct } from '../../schema/builders.ts';
import { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';

const Badge = struct('sea/v1.Badge', () => ({ kind: field(1, string), value: field(2, string) }));
const Person = struct('sea/v1.Person', () => ({ name: field(1, string), rank: field(2, string) }));
const Ship = struct('sea/v1.Ship', () => ({
  name: field(1, string),
  labels: field(2, mapOf(string)),
  crew: field(3, listOf(Person), { patch: { strategies: ['merge'], mergeKey: 'name' } }),
  flags: field(4, listOf(string), { patch: { strategies: ['merge'] } }),
  log: field(5, listOf(Badge)),
  rig: field(6, Person, { patch: { strategies: ['retainKeys'] } }),
  cargo: field(7, rawExtension),
  holds: field(8, mapOf(mapOf(string))),
  unkeyed: field(9, listOf(Badge), { patch: { strategies: ['merge'] } }),
  grid: field(10, listOf(listOf(string)), { patch: { strategies: ['merge'] } }),
}));

const names = (...list: string[]) => list.map((name) => ({ name }));

describe('errors', () => {
  const statusOf = (live: object, patch: unknown) => {
    try {
      applyStrategicMergePatch(live, patch, Ship);
    } catch (error) {
      const {
        code,
        reason = '',
        message,
      } = (error as { status: { code: number; reason?: string; message: string } }).status;
      return [code, reason, message];
    }
    throw new Error('nothing was refused');
  };
  const live = {
    name: 'n',
    labels: { a: '1' },
    crew: names('a', 'b'),
    rig: { name: 'a' },
    cargo: { a: { b: {} } },
    flags: ['a'],
  };
  const missing = (element: string) => `map: ${element} does not contain declared merge key: name`;

  test.each<[string, unknown, string]>([
    ['no merge key', { crew: [{ rank: 'r' }] }, missing('map[rank:r]')],
    ['no merge key to delete by', { crew: [{ $patch: 'delete', rank: 'r' }] }, missing('map[$patch:delete rank:r]')],
    ['no merge key in a replacement', { crew: [{ $patch: 'replace' }, { rank: 'r' }] }, missing('map[rank:r]')],
    ['no merge key in the order', { '$setElementOrder/crew': [{ rank: 'r' }] }, missing('map[rank:r]')],
    [
      'an unknown directive in a list',
      { crew: [{ name: 'a', $patch: 'foo' }] },
      'unknown patch type: foo in map: map[$patch:foo name:a]',
    ],
    [
      'an unknown directive in an object',
      { labels: { $patch: 'foo' } },
      'unknown patch type: foo in map: map[$patch:foo]',
    ],
    [
      'merge in an object',
      { labels: { $patch: 'merge', b: '1' } },
      'unknown patch type: merge in map: map[$patch:merge b:1]',
    ],
    [
      'merge in a list',
      { crew: [{ name: 'a', $patch: 'merge' }] },
      'merging lists cannot yet be specified in the patch',
    ],
    ['an order that is no list', { '$setElementOrder/crew': 'x' }, 'expected a []interface {}, but received a string'],
    [
      'an order of a null list',
      { '$setElementOrder/crew': names('a'), crew: null },
      'expected a []interface {}, but received a %!s(<nil>)',
    ],
    [
      'an order of plain values',
      { '$setElementOrder/crew': ['a'], crew: names('a') },
      'expected a map[string]interface {}, but received a string',
    ],
    [
      'an order without an element of the patch',
      { '$setElementOrder/crew': names('a'), crew: names('c') },
      "The order in patch list:\n[map[name:c]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
    [
      'an order that is not the one of the patch',
      { '$setElementOrder/crew': names('a', 'b'), crew: names('b', 'a') },
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    ],
    ['elements of two types', { crew: ['x'] }, 'list element types are not identical: [[map[name:a] map[name:b]] [x]]'],
    ['null among the elements', { flags: ['b', null] }, 'list element types are not identical: [[a] [b <nil>]]'],
    [
      'an order of an unknown list',
      { '$setElementOrder/zzz': ['a'] },
      'unable to find api field in struct Ship for the json field "zzz"',
    ],
    [
      'merging inside free-form data',
      { cargo: { a: { b: 1 } } },
      'unable to find api field in struct RawExtension for the json field "a"',
    ],
  ])('%s: 400', (_title, patch, message) => {
    expect(statusOf(live, patch)).toEqual([400, 'BadRequest', message]);
  });

  test('objects in a merged list without a key: 400', () => {
    const message = 'cannot merge lists without merge key for struct';
    expect(statusOf({ unkeyed: [{ kind: 'a' }] }, { unkeyed: [{ kind: 'b' }] })).toEqual([400, 'BadRequest', message]);
    expect(statusOf({ log: [{ kind: 'a' }] }, { '$deleteFromPrimitiveList/log': [{ kind: 'a' }] })).toEqual([
      400,
      'BadRequest',
      message,
    ]);
  });

  test('a live element without its key: 400', () => {
    expect(statusOf({ crew: [{ rank: 'r' }] }, { crew: names('a') })).toEqual([
      400,
      'BadRequest',
      missing('map[rank:r]'),
    ]);
  });

  test('maps in maps: 400', () => {
    const message = 'merging an object in json but data type is not struct, instead is: map';
    expect(statusOf({ holds: { a: { x: '1' } } }, { holds: { a: { x: '2' } } })).toEqual([400, 'BadRequest', message]);
  });

  test('an order of two empty lists: 400', () => {
    const patch = { '$setElementOrder/crew': [], crew: [] };
    expect(statusOf({ crew: [] }, patch)).toEqual([400, 'BadRequest', 'no elements in any of the given slices']);
  });

  test.each<[string, unknown, string]>([
    ['$retainKeys is no list', { rig: { $retainKeys: 'name' } }, 'invalid patch format of retainKeys'],
    ['$retainKeys lacks a member', { rig: { $retainKeys: ['name'], rank: 'r' } }, 'invalid patch format of retainKeys'],
    ['a deletion from nothing', { $deleteFromPrimitiveList: ['a'] }, 'invalid patch format of primitive list'],
    ['an order of nothing', { $setElementOrder: ['a'] }, 'invalid patch format of setElementOrder list'],
    ['a list', [], 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['a text', 's', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
  ])('%s: 400', (_title, patch, message) => {
    expect(statusOf(live, patch)).toEqual([400, 'BadRequest', message]);
  });

  test('lists of lists: 422', () => {
    const message = 'the server rejected our request due to an error in our request';
    expect(statusOf({ grid: [['a']] }, { grid: [['b']] })).toEqual([422, 'Invalid', message]);
  });
});
