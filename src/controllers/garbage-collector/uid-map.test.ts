import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { UidMap } from './uid-map.ts';

const withLast = (number: number): string => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
const withFirst = (number: number): string => `${String(number).padStart(8, '0')}-0000-0000-0000-000000000000`;

describe('a map of uids', () => {
  it.each<[string, (number: number) => string]>([
    ['UUIDs', () => randomUUID()],
    ['UUIDs that differ in the last digits', withLast],
    ['UUIDs that differ in the first digits', withFirst],
    ['uids that are no UUIDs', (number) => `uid-${number}`],
    ['UUIDs in capital letters', (number) => `ABCDEF00-0000-0000-0000-${String(number).padStart(12, '0')}`],
    ['a mixture', (number) => (number % 3 === 0 ? String(number) : withLast(number))],
  ])('behaves like a Map while it grows and shrinks: %s', (_, uidOf) => {
    const expected = new Map<string, string>();
    const map = new UidMap();
    const uids = Array.from({ length: 2000 }, (_, number) => uidOf(number));
    const check = (): void => {
      expect(map.size).toBe(expected.size);
      expect([...map.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const uid of uids) expect(map.get(uid)).toBe(expected.get(uid));
    };
    uids.forEach((uid, number) => {
      map.set(uid, `text ${number}`);
      expected.set(uid, `text ${number}`);
    });
    check();
    // In an order that frees places in the middle of others.
    uids.forEach((uid, number) => {
      if (number % 7 === 0) map.set(uid, 'changed');
      else expect(map.delete(uid)).toBe(true);
      if (number % 7 === 0) expected.set(uid, 'changed');
      else expected.delete(uid);
      if (number % 400 === 0) check();
    });
    check();
    expect(map.delete(uids[1]!)).toBe(false);
    for (const uid of uids) expect(map.delete(uid)).toBe(expected.delete(uid));
    check();
  });

  it('finds nothing when it is empty', () => {
    const map = new UidMap();
    expect(map.get(randomUUID())).toBeUndefined();
    expect(map.delete(randomUUID())).toBe(false);
    expect([...map.keys()]).toEqual([]);
  });
});
