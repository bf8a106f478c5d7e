import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bool, field, int32, listOf, mapOf, rawExtension, string, struct } from '../../schema/builders.ts';
import { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';

const Berth = struct('sea/v1.Berth', () => ({ deck: field(1, int32), inner: field(2, bool) }));
const Person = struct('sea/v1.Person', () => ({
  name: field(1, string),
  rank: field(2, string),
  tools: field(3, listOf(string)),
  traits: field(4, mapOf(string)),
}));
const Ship = struct('sea/v1.Ship', () => ({
  name: field(1, string),
  tons: field(2, int32),
  labels: field(3, mapOf(string)),
  crew: field(4, listOf(Person), { patch: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' } }),
  flags: field(5, listOf(string), { patch: { strategies: ['merge'] } }),
  rig: field(6, Person, { patch: { strategies: ['retainKeys'] } }),
  hull: field(7, Person, { patch: { strategies: ['replace'] } }),
  captain: field(8, Person),
  cargo: field(9, rawExtension),
  berth: field(10, Berth, { inline: true }),
}));

const apply = (live: object, patch: unknown) => {
  const before = JSON.stringify([live, patch]);
  try {
    return applyStrategicMergePatch(live, patch, Ship);
  } finally {
    expect(JSON.stringify([live, patch])).toBe(before);
  }
};

/** Title, live object, patch, result. */
type Case = [string, object, unknown, object];

describe('objects', () => {
  test.each<Case>([
    ['a null patch changes nothing', { name: 'a' }, null, { name: 'a' }],
    ['an empty patch changes nothing', { name: 'a' }, {}, { name: 'a' }],
    ['a member is set', { name: 'a' }, { tons: 5 }, { name: 'a', tons: 5 }],
    ['a member is changed', { name: 'a' }, { name: 'b' }, { name: 'b' }],
    ['null removes', { name: 'a', tons: 5 }, { tons: null }, { name: 'a' }],
    ['null removes what is not there', { name: 'a' }, { tons: null }, { name: 'a' }],
    ['null removes a list', { crew: [{ name: 'x' }] }, { crew: null }, {}],
    [
      'objects merge',
      { captain: { name: 'a', rank: 'r' } },
      { captain: { rank: 's' } },
      { captain: { name: 'a', rank: 's' } },
    ],
    ['maps merge', { labels: { a: '1', b: '2' } }, { labels: { a: null, c: '3' } }, { labels: { b: '2', c: '3' } }],
    ['nulls in a new object are dropped', {}, { captain: { name: 'a', rank: null } }, { captain: { name: 'a' } }],
    ['nulls in a new list are dropped', {}, { crew: [{ name: 'a', rank: null }] }, { crew: [{ name: 'a' }] }],
    ['another type replaces', { captain: { name: 'a' } }, { captain: 'b' }, { captain: 'b' }],
    ['an object over a scalar', { name: 'a' }, { name: { x: null, y: 1 } }, { name: { y: 1 } }],
    ['a list over an object', { captain: { name: 'a' } }, { captain: [1] }, { captain: [1] }],
    ['unknown members are kept for the decoder', { name: 'a' }, { foo: { bar: 1 } }, { name: 'a', foo: { bar: 1 } }],
    ['a field of an inline struct', { deck: 1 }, { deck: 2, inner: true }, { deck: 2, inner: true }],
    ['a strategy of replace', { hull: { name: 'a', rank: 'r' } }, { hull: { rank: 's' } }, { hull: { rank: 's' } }],
    [
      'free-form data merges at its first level',
      { cargo: { a: 1, b: 2 } },
      { cargo: { b: 3 } },
      { cargo: { a: 1, b: 3 } },
    ],
    ['free-form data keeps other types', { cargo: { a: 1 } }, { cargo: { a: { x: 1 } } }, { cargo: { a: { x: 1 } } }],
  ])('%s', (_title, live, patch, result) => {
    expect(apply(live, patch)).toEqual(result);
  });
});

test('merged objects have sorted members, also in free-form data', () => {
  const live = { cargo: { z: { y: 1, b: 2 }, k: 1 } };
  const patch = { cargo: { a: { d: 1, c: 2 } } };
  const result = applyStrategicMergePatch(live, patch, Ship);
  expect(JSON.stringify(result)).toBe('{"cargo":{"a":{"c":2,"d":1},"k":1,"z":{"y":1,"b":2}}}');
});

describe('$patch in an object', () => {
  test.each<Case>([
    ['replace', { labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }, { labels: { b: '2' } }],
    ['replace with nothing', { labels: { a: '1' } }, { labels: { $patch: 'replace' } }, { labels: {} }],
    ['replace the whole object', { name: 'a', tons: 1 }, { $patch: 'replace', name: 'b' }, { name: 'b' }],
    ['delete', { labels: { a: '1' }, name: 'n' }, { labels: { $patch: 'delete' } }, { labels: {}, name: 'n' }],
    ['delete ignores the rest', { labels: { a: '1' } }, { labels: { $patch: 'delete', b: '2' } }, { labels: {} }],
    ['on nothing, replace', { name: 'n' }, { labels: { $patch: 'replace', a: '1' } }, { name: 'n' }],
    ['on nothing, delete', { name: 'n' }, { labels: { $patch: 'delete' } }, { name: 'n' }],
    ['on nothing, an unknown one', { name: 'n' }, { labels: { $patch: 'zzz', a: '1' } }, { name: 'n' }],
    [
      'deep in a new object',
      {},
      { captain: { name: 'a', traits: { $patch: 'replace', x: 'y' } } },
      { captain: { name: 'a' } },
    ],
    ['over another type', { labels: 'x' }, { labels: { $patch: 'replace', a: '1' } }, {}],
  ])('%s', (_title, live, patch, result) => {
    expect(apply(live, patch)).toEqual(result);
  });
});

describe('$retainKeys', () => {
  test.each<Case>([
    [
      'keeps what it names',
      { rig: { name: 'a', rank: 'r', tools: ['t'] } },
      { rig: { $retainKeys: ['name'] } },
      { rig: { name: 'a' } },
    ],
    [
      'and lets members be set',
      { rig: { name: 'a', rank: 'r' } },
      { rig: { $retainKeys: ['name', 'tools'], tools: ['t'] } },
      { rig: { name: 'a', tools: ['t'] } },
    ],
    [
      'a removed member need not be named',
      { rig: { name: 'a', rank: 'r' } },
      { rig: { $retainKeys: ['name'], rank: null } },
      { rig: { name: 'a' } },
    ],
    [
      'in an element of a list',
      { crew: [{ name: 'a', rank: 'r' }] },
      { crew: [{ name: 'a', $retainKeys: ['name', 'tools'], tools: ['x'] }] },
      { crew: [{ name: 'a', tools: ['x'] }] },
    ],
    [
      'works on any object',
      { captain: { name: 'a', rank: 'r' } },
      { captain: { $retainKeys: ['rank'] } },
      { captain: { rank: 'r' } },
    ],
  ])('%s', (_title, live, patch, result) => {
    expect(apply(live, patch)).toEqual(result);
  });
});

describe('properties', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const person = fc.record({ name: word, rank: fc.option(word, { nil: undefined }) }, { requiredKeys: ['name'] });
  const crew = fc.uniqueArray(person, { selector: ({ name }) => name });
  const flags = fc.uniqueArray(word);
  const ship = fc.record({ name: word, crew, flags, labels: fc.dictionary(word, word) }, { requiredKeys: [] });
  const patch = fc.record(
    {
      name: fc.option(word),
      crew: fc.uniqueArray(
        fc.oneof(
          person,
          word.map((name) => ({ name, $patch: 'delete' })),
        ),
        { selector: ({ name }) => name },
      ),
      flags,
      labels: fc.dictionary(word, fc.option(word)),
    },
    { requiredKeys: [] },
  );

  test('applying a patch again changes nothing', () => {
    fc.assert(
      fc.property(ship, patch, (live, change) => {
        const once = apply(live, change) as object;
        expect(apply(once, change)).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });

  test('a merged list has the live and the patched elements, except deleted ones', () => {
    fc.assert(
      fc.property(crew, crew, (live, change) => {
        const result = apply({ crew: live }, { crew: change }) as { crew: { name: string }[] };
        const expected = new Set([...live, ...change].map(({ name }) => name));
        expect(result.crew.map(({ name }) => name).sort()).toEqual([...expected].sort());
      }),
    );
  });

  test('$setElementOrder can produce any order of the live elements', () => {
    fc.assert(
      fc.property(
        crew
          .filter((list) => list.length > 0)
          .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([live, wanted]) => {
          const order = wanted.map(({ name }) => ({ name }));
          expect(apply({ crew: live }, { '$setElementOrder/crew': order })).toEqual({ crew: wanted });
        },
      ),
    );
  });
});

test('a key named __proto__ is data', () => {
  const patch = JSON.parse('{"labels":{"__proto__":"x","a":"b"},"__proto__":{"polluted":"1"}}');
  const result = apply({ labels: { c: 'd' } }, patch) as { labels: object };
  expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":"1"},"labels":{"__proto__":"x","a":"b","c":"d"}}');
  expect(Object.getPrototypeOf(result.labels)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('unchanged parts are shared', () => {
  const live = { captain: { name: 'a' }, crew: [{ name: 'a' }, { name: 'b' }] };
  const result = apply(live, { crew: [{ name: 'b', rank: 'r' }] }) as typeof live;
  expect(result.captain).toBe(live.captain);
  expect(result.crew[0]).toBe(live.crew[0]);
});
