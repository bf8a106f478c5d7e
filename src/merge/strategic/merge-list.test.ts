import { describe, expect, test } from 'vitest';
import { field, int32, listOf, string, struct } from '../../schema/builders.ts';
import { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';

const Badge = struct('sea/v1.Badge', () => ({ kind: field(1, string), value: field(2, string) }));
const Sail = struct('sea/v1.Sail', () => ({ id: field(1, int32), cloth: field(2, string) }));
const Person = struct('sea/v1.Person', () => ({
  name: field(1, string),
  rank: field(2, string),
  tools: field(3, listOf(string)),
  badges: field(4, listOf(Badge), { patch: { strategies: ['merge'], mergeKey: 'kind' } }),
}));
const Ship = struct('sea/v1.Ship', () => ({
  name: field(1, string),
  crew: field(2, listOf(Person), { patch: { strategies: ['merge'], mergeKey: 'name' } }),
  sails: field(3, listOf(Sail), { patch: { strategies: ['merge'], mergeKey: 'id' } }),
  flags: field(4, listOf(string), { patch: { strategies: ['merge'] } }),
  route: field(5, listOf(string)),
  log: field(6, listOf(Badge)),
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

const names = (...list: string[]) => list.map((name) => ({ name }));

describe('lists of objects', () => {
  test.each<Case>([
    [
      'an element is merged by its key',
      { crew: [{ name: 'a', rank: 'r' }, { name: 'b' }] },
      { crew: [{ name: 'a', rank: 's' }] },
      { crew: [{ name: 'a', rank: 's' }, { name: 'b' }] },
    ],
    [
      'merging goes deeper',
      { crew: [{ name: 'a', badges: [{ kind: 'k', value: '1' }] }] },
      { crew: [{ name: 'a', badges: [{ kind: 'k', value: '2' }] }] },
      { crew: [{ name: 'a', badges: [{ kind: 'k', value: '2' }] }] },
    ],
    [
      'null removes a member of an element',
      { crew: [{ name: 'a', rank: 'r' }] },
      { crew: [{ name: 'a', rank: null }] },
      { crew: names('a') },
    ],
    ['a new element comes first', { crew: names('a', 'b') }, { crew: names('c') }, { crew: names('c', 'a', 'b') }],
    [
      'new elements keep the order of the patch',
      { crew: names('a') },
      { crew: names('z', 'y') },
      { crew: names('z', 'y', 'a') },
    ],
    [
      'the patch sets the order of what it names',
      { crew: names('a', 'b', 'c') },
      { crew: names('c', 'a') },
      { crew: names('b', 'c', 'a') },
    ],
    [
      'unnamed elements stay before their old followers',
      { crew: names('a', 'b', 'c') },
      { crew: names('a', 'n', 'c') },
      { crew: names('a', 'n', 'b', 'c') },
    ],
    [
      'a key that is a number',
      { sails: [{ id: 1, cloth: 'c' }, { id: 2 }] },
      { sails: [{ id: 2, cloth: 'd' }] },
      {
        sails: [
          { id: 1, cloth: 'c' },
          { id: 2, cloth: 'd' },
        ],
      },
    ],
    [
      'a key of another type is another key',
      { sails: [{ id: 1 }] },
      { sails: [{ id: '1' }] },
      { sails: [{ id: '1' }, { id: 1 }] },
    ],
    [
      'a repeated element of the patch is merged too',
      { crew: names('a') },
      {
        crew: [
          { name: 'b', rank: '1' },
          { name: 'b', tools: ['t'] },
        ],
      },
      { crew: [{ name: 'b', rank: '1', tools: ['t'] }, { name: 'a' }] },
    ],
    [
      'only the first of equal live elements is merged',
      { crew: names('a', 'a') },
      { crew: [{ name: 'a', rank: 'r' }] },
      { crew: [{ name: 'a', rank: 'r' }, { name: 'a' }] },
    ],
    ['a list where there was none', { name: 'n' }, { crew: names('a') }, { name: 'n', crew: names('a') }],
    ['an empty patch list changes nothing', { crew: names('a') }, { crew: [] }, { crew: names('a') }],
    ['an empty live list', { crew: [] }, { crew: names('a') }, { crew: names('a') }],
    ['two empty lists', { crew: [] }, { crew: [] }, { crew: [] }],
    ['a list without rule is replaced', { log: [{ kind: 'a' }] }, { log: [{ kind: 'b' }] }, { log: [{ kind: 'b' }] }],
    ['a list without rule can become empty', { log: [{ kind: 'a' }] }, { log: [] }, { log: [] }],
    [
      'a list in an element without rule is replaced',
      { crew: [{ name: 'a', tools: ['x', 'y'] }] },
      { crew: [{ name: 'a', tools: ['z'] }] },
      { crew: [{ name: 'a', tools: ['z'] }] },
    ],
  ])('%s', (_title, live, patch, result) => {
    expect(apply(live, patch)).toEqual(result);
  });
});

describe('$patch in a list', () => {
  test.each<Case>([
    ['delete', { crew: names('a', 'b') }, { crew: [{ name: 'a', $patch: 'delete' }] }, { crew: names('b') }],
    [
      'delete a missing element',
      { crew: names('a') },
      { crew: [{ name: 'x', $patch: 'delete' }] },
      { crew: names('a') },
    ],
    [
      'delete every equal element',
      { crew: names('a', 'b', 'a') },
      { crew: [{ name: 'a', $patch: 'delete' }] },
      { crew: names('b') },
    ],
    [
      'delete all',
      { crew: names('a', 'b') },
      {
        crew: [
          { name: 'a', $patch: 'delete' },
          { name: 'b', $patch: 'delete' },
        ],
      },
      { crew: [] },
    ],
    [
      'delete and merge',
      { crew: names('a', 'b') },
      { crew: [{ name: 'a', $patch: 'delete' }, { name: 'b', rank: 'r' }, { name: 'c' }] },
      { crew: [{ name: 'b', rank: 'r' }, { name: 'c' }] },
    ],
    [
      'delete and add again',
      { crew: [{ name: 'a', rank: 'r' }] },
      {
        crew: [
          { name: 'a', $patch: 'delete' },
          { name: 'a', tools: [] },
        ],
      },
      { crew: [{ name: 'a', tools: [] }] },
    ],
    ['replace', { crew: names('a', 'b') }, { crew: [{ $patch: 'replace' }, { name: 'c' }] }, { crew: names('c') }],
    ['replace by nothing', { crew: names('a', 'b') }, { crew: [{ $patch: 'replace' }] }, { crew: [] }],
    [
      'replace anywhere in the list',
      { crew: names('a') },
      { crew: [{ name: 'c' }, { $patch: 'replace' }, { name: 'd' }] },
      { crew: names('c', 'd') },
    ],
    ['delete in a new list', {}, { crew: [{ name: 'a', $patch: 'delete' }, { name: 'b' }] }, { crew: names('b') }],
    [
      'in a nested list',
      { crew: [{ name: 'a', badges: [{ kind: 'x' }, { kind: 'y' }] }] },
      { crew: [{ name: 'a', badges: [{ kind: 'x', $patch: 'delete' }] }] },
      { crew: [{ name: 'a', badges: [{ kind: 'y' }] }] },
    ],
  ])('%s', (_title, live, patch, result) => {
    expect(apply(live, patch)).toEqual(result);
  });
});

describe('lists of plain values', () => {
  test.each<Case>([
    ['are united', { flags: ['a', 'b'] }, { flags: ['c', 'a'] }, { flags: ['c', 'a', 'b'] }],
    ['lose repeated values', { flags: ['a', 'b', 'a'] }, { flags: ['b', 'b'] }, { flags: ['a', 'b'] }],
    ['without rule are replaced', { route: ['a', 'b'] }, { route: ['c'] }, { route: ['c'] }],
    [
      'lose what $deleteFromPrimitiveList names',
      { flags: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/flags': ['c', 'a', 'x'] },
      { flags: ['b'] },
    ],
    [
      'lose values of $deleteFromPrimitiveList even if the strategy is replace',
      { route: ['a', 'b'] },
      { '$deleteFromPrimitiveList/route': ['a'] },
      { route: ['b'] },
    ],
    [
      'gain and lose at once',
      { flags: ['a', 'b'] },
      { '$deleteFromPrimitiveList/flags': ['a'], flags: ['c'] },
      { flags: ['c', 'b'] },
    ],
    ['a deletion where there is no list', { name: 'n' }, { '$deleteFromPrimitiveList/flags': ['a'] }, { name: 'n' }],
    ['a deletion that is not a list', { flags: ['a'] }, { '$deleteFromPrimitiveList/flags': 'a' }, { flags: ['a'] }],
    ['a null deletion removes the list', { flags: ['a'] }, { '$deleteFromPrimitiveList/flags': null }, {}],
    [
      'a deletion of objects merges them',
      { crew: names('a') },
      { '$deleteFromPrimitiveList/crew': [{ name: 'a', rank: 'r' }] },
      { crew: [{ name: 'a', rank: 'r' }] },
    ],
  ])('%s', (_title, live, patch, result) => {
    expect(apply(live, patch)).toEqual(result);
  });
});

describe('$setElementOrder', () => {
  test.each<Case>([
    [
      'orders the live list',
      { crew: names('a', 'b') },
      { '$setElementOrder/crew': names('b', 'a') },
      { crew: names('b', 'a') },
    ],
    [
      'places a new element',
      { crew: names('a', 'b') },
      { '$setElementOrder/crew': names('a', 'n', 'b'), crew: names('n') },
      { crew: names('a', 'n', 'b') },
    ],
    [
      'an element that it does not name keeps its neighbours',
      { crew: names('a', 'x', 'b') },
      { '$setElementOrder/crew': names('b', 'a') },
      { crew: names('x', 'b', 'a') },
    ],
    [
      'missing names are ignored',
      { crew: names('a') },
      { '$setElementOrder/crew': names('z', 'a') },
      { crew: names('a') },
    ],
    [
      'orders a new list',
      {},
      { '$setElementOrder/crew': names('b', 'a'), crew: names('b', 'a') },
      { crew: names('b', 'a') },
    ],
    ['without any list does nothing', { name: 'n' }, { '$setElementOrder/crew': names('b') }, { name: 'n' }],
    [
      'deletions need not be in the order',
      { crew: names('a', 'b') },
      { '$setElementOrder/crew': names('b'), crew: [{ name: 'a', $patch: 'delete' }] },
      { crew: names('b') },
    ],
    [
      'orders plain values',
      { flags: ['a', 'b', 'c'] },
      { '$setElementOrder/flags': ['c', 'a'] },
      { flags: ['b', 'c', 'a'] },
    ],
    [
      'orders and adds plain values',
      { flags: ['a'] },
      { '$setElementOrder/flags': ['b', 'a'], flags: ['b'] },
      { flags: ['b', 'a'] },
    ],
    [
      'adds and deletes plain values',
      { flags: ['a', 'b'] },
      { '$setElementOrder/flags': ['c', 'b'], flags: ['c'], '$deleteFromPrimitiveList/flags': ['a'] },
      { flags: ['c', 'b'] },
    ],
    [
      'orders a list that is replaced',
      { route: ['a'] },
      { '$setElementOrder/route': ['c', 'b'], route: ['c', 'b'] },
      { route: ['c', 'b'] },
    ],
    [
      'an empty order',
      { crew: names('a', 'b') },
      { '$setElementOrder/crew': [], crew: names('c') },
      { crew: names('c', 'a', 'b') },
    ],
    [
      'in an element',
      { crew: [{ name: 'a', badges: [{ kind: 'x' }, { kind: 'y' }] }] },
      { crew: [{ name: 'a', '$setElementOrder/badges': [{ kind: 'y' }, { kind: 'x' }] }] },
      { crew: [{ name: 'a', badges: [{ kind: 'y' }, { kind: 'x' }] }] },
    ],
  ])('%s', (_title, live, patch, result) => {
    expect(apply(live, patch)).toEqual(result);
  });
});
