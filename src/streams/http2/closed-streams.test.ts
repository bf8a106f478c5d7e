import { expect, it } from 'vitest';
import { ClosedStreams } from './closed-streams.ts';

it('tells streams that are over from those of which more may come', () => {
  const streams = new ClosedStreams(10);
  streams.addEnded(1);
  streams.addCut(3);
  expect([1, 3, 5].map((id) => [streams.isEnded(id), streams.isCut(id)])).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
  streams.endCut(3);
  streams.endCut(5);
  expect([streams.isEnded(3), streams.isCut(3), streams.isEnded(5)]).toEqual([true, false, false]);
});

it('remembers twice as many as may be open, and not all', () => {
  const streams = new ClosedStreams(200);
  for (let id = 1; id < 20_000; id += 2) streams.addCut(id);
  const remembered = Array.from({ length: 10_000 }, (_, index) => 2 * index + 1).filter((id) => streams.isCut(id));
  expect(remembered.length).toBeGreaterThanOrEqual(400);
  expect(remembered.length).toBeLessThan(1000);
  expect(remembered.at(-1)).toBe(19_999);
});
