import { expect, it } from 'vitest';
import { SeatDemand } from './seat-demand.ts';

it('observes the demand of a period, weighted by time', () => {
  const demand = new SeatDemand(0);
  demand.change(4, 0);
  demand.change(-4, 50);
  expect(demand.take(100)).toEqual({ average: 2, deviation: 2, highest: 4 });
  demand.change(3, 100);
  demand.change(5, 200);
  demand.change(-7, 200);
  expect(demand.take(300)).toEqual({ average: 2, deviation: 1, highest: 8 });
  // Seats that are in use at the beginning count.
  expect(demand.take(400)).toEqual({ average: 1, deviation: 0, highest: 1 });
});

it('observes a seat that was in use for a moment like one that was taken and given back', () => {
  const [passed, changed] = [new SeatDemand(0), new SeatDemand(0)];
  for (const demand of [passed, changed]) demand.change(2, 10);
  for (const [from, to] of [
    [20, 30],
    [30, 30],
    [35, 50],
  ] as const) {
    passed.recordFinished(from, to);
    changed.change(1, from);
    changed.change(-1, to);
  }
  expect(passed.take(60)).toEqual(changed.take(60));
});

it('observes a period without a duration', () => {
  const demand = new SeatDemand(0);
  demand.change(2, 0);
  expect(demand.take(0)).toEqual({ average: 2, deviation: 0, highest: 2 });
});
