import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beginSoon, flushSoon } from './turn-end.ts';

// The time of a turn must not depend on the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Replaces `setImmediate`. The returned function ends a turn and returns whether there was something to do. */
function controlTurns(): () => boolean {
  const callbacks: (() => void)[] = [];
  vi.stubGlobal('setImmediate', (callback: () => void) => callbacks.push(callback));
  return () => {
    const callback = callbacks.shift();
    callback?.();
    return callback !== undefined;
  };
}

it('begins the requests of a turn, then flushes, all in one callback', () => {
  const endTurn = controlTurns();
  const done: string[] = [];
  flushSoon({ flush: () => done.push('flush 1') });
  beginSoon({
    begin: () => {
      done.push('begin 1');
      flushSoon({ flush: () => done.push('flush of request 1') });
    },
  });
  beginSoon({ begin: () => done.push('begin 2') });
  expect(done).toEqual([]);
  endTurn();
  expect(done).toEqual(['begin 1', 'begin 2', 'flush 1', 'flush of request 1']);
  while (endTurn());
  expect(done).toHaveLength(4);
});

it('leaves the requests that would make the turn long to the next one, and flushes in each', () => {
  const endTurn = controlTurns();
  const done: string[] = [];
  const slow = (name: string) => ({
    begin: () => {
      done.push(name);
      vi.advanceTimersByTime(2);
      flushSoon({ flush: () => done.push(`flush of ${name}`) });
    },
  });
  for (const name of ['1', '2', '3']) beginSoon(slow(name));
  endTurn();
  expect(done).toEqual(['1', '2', 'flush of 1', 'flush of 2']);
  beginSoon(slow('4'));
  while (endTurn());
  expect(done.slice(4)).toEqual(['3', '4', 'flush of 3', 'flush of 4']);
});

it('leaves what is added while it flushes to the next turn', () => {
  const endTurn = controlTurns();
  let flushed = 0;
  const output = {
    flush: () => {
      flushed += 1;
      if (flushed < 3) flushSoon(output);
    },
  };
  flushSoon(output);
  endTurn();
  expect(flushed).toBe(1);
  while (endTurn());
  expect(flushed).toBe(3);
});

it('handles the others although one throws', () => {
  const endTurn = controlTurns();
  const done: string[] = [];
  const fails = (): void => {
    throw new Error('failed');
  };
  beginSoon({ begin: fails });
  beginSoon({ begin: () => done.push('begin') });
  flushSoon({ flush: fails });
  flushSoon({ flush: () => done.push('flush') });
  expect(endTurn).toThrow('failed');
  while (endTurn());
  expect(done.sort()).toEqual(['begin', 'flush']);
});
