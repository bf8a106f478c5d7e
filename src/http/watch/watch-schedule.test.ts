import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../meta/clock.ts';
import { WatchSchedule } from './watch-schedule.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Returns the callbacks with the second of each call. */
function happenings({ seconds, bookmarks, until }: { seconds: number; bookmarks: boolean; until: number }): string[] {
  const happened: string[] = [];
  const start = performance.now();
  const note = (what: string) => void happened.push(`${what} ${Math.round((performance.now() - start) / 1000)}`);
  const onBookmark = bookmarks ? () => note('bookmark') : undefined;
  const schedule = new WatchSchedule({ seconds, clock: systemClock, onBookmark, onEnd: () => note('end') });
  vi.advanceTimersByTime(until * 1000);
  schedule.stop();
  // No further callback may be called.
  vi.advanceTimersByTime(1_000_000);
  return happened;
}

it.each([
  [1, true, ['end 1']],
  [2, true, ['end 2']],
  [3, true, ['bookmark 1', 'end 3']],
  [8, true, ['bookmark 6', 'end 8']],
  [61, true, ['bookmark 59', 'end 61']],
  [100, true, ['bookmark 60', 'bookmark 98', 'end 100']],
  [200, true, ['bookmark 60', 'bookmark 120', 'bookmark 180', 'bookmark 198', 'end 200']],
  [200, false, ['end 200']],
])('a watch of %i seconds with bookmarks (%s) ends in time', (seconds, bookmarks, expected) => {
  expect(happenings({ seconds, bookmarks, until: 1000 })).toEqual(expected);
});

it('may be stopped at any time', () => {
  expect(happenings({ seconds: 200, bookmarks: true, until: 100 })).toEqual(['bookmark 60']);
});

it('may exceed the maximum delay of a timer', () => {
  expect(happenings({ seconds: 10 ** 10, bookmarks: false, until: 3600 })).toEqual([]);
});
