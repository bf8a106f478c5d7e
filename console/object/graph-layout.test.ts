import { describe, expect, it } from 'vitest';
import { layoutGraph, relatives } from './graph-layout.ts';

const node = (uid: string, ...owners: string[]) => ({ uid, owners });

describe('relatives', () => {
  const nodes = new Map(
    [node('a'), node('b', 'a'), node('c', 'b'), node('d', 'c'), node('e', 'b'), node('f')].map((entry) => [
      entry.uid,
      entry,
    ]),
  );

  it.each([
    ['a', 'abecd'],
    ['c', 'abcd'],
    ['f', 'f'],
  ])('finds the relatives of %s', (uid, expected) => {
    expect(
      relatives(nodes, uid)
        .map((entry) => entry.uid)
        .sort(),
    ).toEqual([...expected].sort());
  });
});

describe('layoutGraph', () => {
  const places = (...nodes: ReturnType<typeof node>[]) =>
    Object.fromEntries(layoutGraph(nodes).nodes.map(({ node: { uid }, column, row }) => [uid, [column, row]]));

  it('puts dependents right of their owners', () => {
    expect(places(node('c', 'a'), node('a'), node('d', 'c'), node('b', 'a'))).toEqual({
      a: [0, 0],
      c: [1, 0],
      d: [2, 0],
      b: [1, 1],
    });
  });

  it('survives circles', () => {
    expect(Object.keys(places(node('a', 'b'), node('b', 'a'), node('c', 'c'))).sort()).toEqual(['a', 'b', 'c']);
  });
});
