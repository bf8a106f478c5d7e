import { expect, it } from 'vitest';
import { ClosedStreams } from './closed-streams.ts';

it('tells streams that are over from those of which more may come', () => {
  const streams = new ClosedStreams(10);
  streams.addEnded(1);
  streams.addReset(3);
  expect([1, 3, 5].map((id) => [streams.isEnded(id), streams.isReset(id)])).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
  streams.removeReset(3);
  streams.removeReset(5);
  expect([streams.isEnded(3), streams.isReset(3), streams.isEnded(5)]).toEqual([true, false, false]);
});

it('remembers twice as many as may be open, and not all', () => {
  const streams = new ClosedStreams(200);
  for (let id = 1; id < 20_000; id += 2) streams.addReset(id);
  const remembered = Array.from({ length: 10_000 }, (_, index) => 2 * index + 1).filter((id) => streams.isReset(id));
  expect(remembered.length).toBeGreaterThanOrEqual(400);
  expect(remembered.length).toBeLessThan(1000);
  expect(remembered.at(-1)).toBe(19_999);
});
