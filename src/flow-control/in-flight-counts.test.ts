import { expect, it } from 'vitest';
import { InFlightCounts, mutating, readOnly } from './in-flight-counts.ts';

it('counts the requests of all threads, each kind by itself', () => {
  const first = InFlightCounts.create(3);
  const last = new InFlightCounts(first.memory, 2);
  expect([first.enter(readOnly, 2), last.enter(readOnly, 2)]).toEqual([true, true]);
  expect([first.enter(readOnly, 2), last.enter(readOnly, 2)]).toEqual([false, false]);
  expect([first.enter(mutating, 1), last.enter(mutating, 1)]).toEqual([true, false]);
  last.leave(readOnly);
  expect([first.enter(readOnly, 2), last.enter(readOnly, 2)]).toEqual([true, false]);
});

it('forgets the requests of a thread that has ended', () => {
  const first = InFlightCounts.create(2);
  const second = new InFlightCounts(first.memory, 1);
  for (let count = 0; count < 5; count++) second.enter(mutating, 5);
  expect(first.enter(mutating, 5)).toBe(false);
  first.clear(1);
  expect(first.enter(mutating, 5)).toBe(true);
});
