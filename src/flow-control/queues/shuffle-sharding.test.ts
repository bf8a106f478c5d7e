import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { deal } from './shuffle-sharding.ts';

it.each<[hash: bigint, deck: number, hand: number, dealt: readonly number[]]>([
  [0n, 4, 4, [0, 1, 2, 3]],
  // 23 = 3 + 4 * (2 + 3 * (1 + 2 * 0)): each time the last of the remaining cards.
  [23n, 4, 4, [3, 2, 1, 0]],
  [5n, 4, 2, [1, 2]],
  [7n, 1, 1, [0]],
])('deals %d from a deck of %d', (hash, deck, hand, dealt) => {
  expect(deal(hash, deck, hand)).toEqual(dealt);
});

it('deals every hand once for every remainder', () => {
  const hands = Array.from({ length: 5 * 4 * 3 }, (_, hash) => deal(BigInt(hash), 5, 3).join());
  expect(new Set(hands).size).toBe(60);
  for (const hand of hands) expect(new Set(hand.split(',')).size).toBe(3);
});

it('spreads hands evenly, and two of them are rarely the same', () => {
  const uses = new Array<number>(128).fill(0);
  const hands = new Set<string>();
  for (let flow = 0; flow < 2000; flow++) {
    const hash = createHash('sha256').update(`user-${flow}`).digest().readBigUInt64LE();
    const hand = deal(hash, 128, 6);
    for (const card of hand) uses[card]!++;
    hands.add(hand.toSorted().join());
  }
  expect(hands.size).toBe(2000);
  // The average is 93.75.
  expect(Math.min(...uses)).toBeGreaterThan(50);
  expect(Math.max(...uses)).toBeLessThan(150);
});
