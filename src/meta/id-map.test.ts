import { expect, test } from 'vitest';
import { IdMap } from './id-map.ts';

/** The next number of a sequence without a pattern, so that a failure can be repeated. */
function sequence(): (limit: number) => number {
  let state = 1;
  return (limit) => {
    state = Math.imul(state, 48_271) >>> 1;
    return state % limit;
  };
}

test.each([
  { name: 'consecutive ids', idOf: (serial: number) => serial },
  { name: 'ids of streams', idOf: (serial: number) => serial * 2 + 1 },
  { name: 'ids with the same low bits', idOf: (serial: number) => serial * 4096 },
  { name: 'ids above 2^31', idOf: (serial: number) => 2 ** 31 + serial },
])('keeps what a Map keeps: $name', ({ idOf }) => {
  const next = sequence();
  const map = new IdMap<string>();
  const model = new Map<number, string>();
  for (let step = 0; step < 20_000; step++) {
    const id = idOf(next(200));
    if (next(3) === 0) {
      map.set(id, `${step}`);
      model.set(id, `${step}`);
    } else {
      expect(map.delete(id)).toBe(model.delete(id));
    }
    const other = idOf(next(200));
    expect(map.get(other)).toBe(model.get(other));
    expect(map.size).toBe(model.size);
  }
  expect(map.values().toSorted()).toEqual([...model.values()].toSorted());
});

test('values can be deleted while they are visited', () => {
  const map = new IdMap<number>();
  for (let id = 0; id < 100; id++) map.set(id, id);
  for (const id of map.values()) expect(map.delete(id)).toBe(true);
  expect(map.size).toBe(0);
});
