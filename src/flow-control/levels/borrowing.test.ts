import { expect, it } from 'vitest';
import { adjustSeats, type Borrower, SmoothedDemand } from './borrowing.ts';
import { seatShares } from './seat-shares.ts';

const level = (shares: number, limits: { lendablePercent?: number; borrowingLimitPercent?: number } = {}) => ({
  metadata: {},
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: shares, ...limits } },
});

it('divides the seats of a server by shares', () => {
  const exempt = { metadata: {}, spec: { type: 'Exempt' } };
  const levels = [level(10), level(20, { lendablePercent: 50 }), level(10, { borrowingLimitPercent: 150 }), exempt];
  expect(seatShares(levels, 101)).toEqual([
    { nominal: 26, lowest: 26, highest: 103 },
    { nominal: 51, lowest: 25, highest: 103 },
    { nominal: 26, lowest: 26, highest: 65 },
    { nominal: 0, lowest: 0, highest: 103 },
  ]);
  expect(seatShares([level(0)], 10)).toEqual([{ nominal: 0, lowest: 0, highest: 0 }]);
});

it.each<[what: string, levels: readonly Borrower[], seats: readonly number[]]>([
  [
    'nobody wants anything: in proportion to what cannot be lent',
    [borrower([50, 25, 100], 0), borrower([50, 25, 100], 0)],
    [50, 50],
  ],
  ['one wants more than it has', [borrower([50, 25, 100], 90), borrower([50, 25, 100], 0)], [75, 25]],
  ['the other needs its own', [borrower([50, 25, 100], 90), borrower([50, 25, 100], 40)], [60, 40]],
  ['both want more than there is', [borrower([50, 25, 100], 300), borrower([50, 25, 100], 100)], [50, 50]],
  ['it may not borrow so much', [borrower([50, 50, 60], 90), borrower([50, 10, 100], 0)], [60, 40]],
  ['nothing is lent', [borrower([50, 50, 100], 90), borrower([50, 50, 100], 0)], [50, 50]],
])('adjusts seats: %s', (_what, levels, seats) => {
  expect(adjustSeats(levels, 100).seats).toEqual(seats);
});

it('adjusts nothing without levels', () => {
  expect(adjustSeats([], 100).seats).toEqual([]);
});

it('follows a demand up at once and down slowly', () => {
  const demand = new SmoothedDemand();
  demand.add({ average: 10, deviation: 5, highest: 100 });
  expect(demand.smoothed).toBe(15);
  for (let period = 0; period < 30; period++) demand.add({ average: 0, deviation: 0, highest: 0 });
  expect(demand.smoothed).toBeCloseTo(15 / 2, 0);
  demand.add({ average: 90, deviation: 50, highest: 100 });
  expect(demand.smoothed).toBe(100);
});

function borrower([nominal, lowest, highest]: readonly [number, number, number], wanted: number): Borrower {
  return { share: { nominal, lowest, highest }, demand: { highest: wanted, smoothed: wanted } };
}
