import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { flushInTurns } from './flush-in-turns.ts';

/** Occupies the event loop, as a stream with much to write does. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('flushes all streams of a turn together, in the order in which they came', async () => {
  const flushed: number[] = [];
  for (let stream = 0; stream < 100; stream++) flushInTurns({ flush: () => flushed.push(stream) });
  expect(flushed).toEqual([]);
  await expect.poll(() => flushed.length).toBe(100);
  expect(flushed).toEqual(Array.from({ length: 100 }, (_, stream) => stream));
});

it('lets others have turns while many streams wait', async () => {
  let flushed = 0;
  const streams = 200;
  for (let stream = 0; stream < streams; stream++) {
    flushInTurns({
      flush: () => {
        work(0.2);
        flushed++;
      },
    });
  }
  const seen: number[] = [];
  while (flushed < streams) {
    await turn();
    seen.push(flushed);
  }
  // In one turn, all of them would be flushed at once.
  expect(seen[0]).toBeLessThan(streams);
  expect(seen.length).toBeGreaterThan(2);
});

it('flushes streams that come meanwhile after those that wait', async () => {
  const flushed: string[] = [];
  const late = { flush: () => flushed.push('late') };
  for (let stream = 0; stream < 40; stream++) {
    flushInTurns({
      flush: () => {
        work(0.2);
        if (stream === 0) flushInTurns(late);
        flushed.push('early');
      },
    });
  }
  await expect.poll(() => flushed.length).toBe(41);
  expect(flushed.at(-1)).toBe('late');
});
