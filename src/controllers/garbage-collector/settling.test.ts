import { expect, it, onTestFinished, vi } from 'vitest';
import { Settling } from './settling.ts';

const every = (ms: number, until: number) => Array.from({ length: until / ms }, (_, index) => index * ms);

it.each([
  { name: 'is over when nothing has changed', changes: [], now: 0, isOver: true },
  { name: 'waits after a change', changes: [0], now: 99, isOver: false },
  { name: 'is over a moment after the only change', changes: [0], now: 100, isOver: true },
  { name: 'waits after the last of several changes', changes: [0, 90, 180], now: 270, isOver: false },
  { name: 'is over a moment after the last of several changes', changes: [0, 90, 180], now: 280, isOver: true },
  { name: 'waits while changes follow each other', changes: every(10, 9_990), now: 9_990, isOver: false },
  { name: 'is over at some time although changes follow', changes: every(10, 10_000), now: 10_000, isOver: true },
])('$name', ({ changes, now, isOver }) => {
  const time = vi.spyOn(performance, 'now');
  onTestFinished(() => time.mockRestore());
  const settling = new Settling();
  for (const at of changes) {
    time.mockReturnValue(at);
    settling.changed();
  }
  time.mockReturnValue(now);
  expect(settling.isOver).toBe(isOver);
  expect(settling.end()).toBe(changes.length > 0);
  expect(settling.isOver).toBe(true);
});
