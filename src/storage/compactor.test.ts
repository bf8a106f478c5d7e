import { expect, test } from 'vitest';
import { type CompactorClock, startCompactor } from './compactor.ts';

test('keeps history for at least the retention and less than twice as long', async () => {
  const run = start({ retention: 1000 });
  for (let elapsed = 0; elapsed < 20_000; elapsed += 100) {
    // One revision per millisecond makes ages easy to read.
    run.revision = run.clock.time;
    const before = run.clock.time;
    await run.advance(100);
    if (run.compactions.length > 0) {
      const kept = before - (run.compactions.at(-1) ?? 0);
      expect(kept).toBeGreaterThanOrEqual(1000 - 100);
      expect(kept).toBeLessThan(2000);
    }
    for (const { at, revision } of run.log) expect(at - revision).toBeGreaterThanOrEqual(1000);
  }
  expect(run.compactions.length).toBeGreaterThan(30);
  expect(run.compactions).toEqual(run.compactions.toSorted((left, right) => left - right));
});

test('does nothing while nothing is written', async () => {
  const run = start({ retention: 1000 });
  run.revision = 7;
  await run.advance(10_000);
  expect(run.compactions).toEqual([7]);
});

test('never compacts with a retention of 0', async () => {
  const run = start({ retention: 0 });
  run.revision = 5;
  await run.advance(1_000_000);
  expect(run.compactions).toEqual([]);
  expect(run.clock.scheduled).toBe(0);
});

test('keeps five minutes by default', async () => {
  const run = start({});
  run.revision = 5;
  await run.advance(149_000);
  run.revision = 9;
  await run.advance(290_000 - 149_000);
  expect(run.compactions).toEqual([]);
  await run.advance(170_000);
  expect(run.compactions).toEqual([9]);
});

test('stops when the signal aborts and leaves no timer', async () => {
  const run = start({ retention: 1000 });
  run.revision = 5;
  await run.advance(600);
  expect(run.clock.scheduled).toBe(1);
  run.controller.abort();
  expect(run.clock.scheduled).toBe(0);
  await run.advance(10_000);
  expect(run.compactions).toEqual([]);
});

test('reports failures and retries', async () => {
  const run = start({ retention: 1000, failures: 2 });
  run.revision = 5;
  await run.advance(10_000);
  expect(run.errors).toHaveLength(2);
  expect(run.compactions).toEqual([5]);
});

class ManualClock implements CompactorClock {
  time = 0;
  #timers: { readonly at: number; readonly callback: () => void }[] = [];

  get scheduled(): number {
    return this.#timers.length;
  }

  monotonic(): number {
    return this.time;
  }

  schedule(callback: () => void, delay: number): () => void {
    const timer = { at: this.time + delay, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Calls the next timer that is due by then; returns false if there is none. */
  fire(until: number): boolean {
    const next = this.#timers.toSorted((left, right) => left.at - right.at)[0];
    if (!next || next.at > until) return false;
    this.#timers = this.#timers.filter((timer) => timer !== next);
    this.time = next.at;
    next.callback();
    return true;
  }
}

function start({ retention, failures = 0 }: { retention?: number; failures?: number }) {
  const clock = new ManualClock();
  const controller = new AbortController();
  const run = {
    clock,
    controller,
    revision: 0,
    compactions: [] as number[],
    log: [] as { at: number; revision: number }[],
    errors: [] as unknown[],
    /** Advances the clock and calls each timer at its due time. */
    async advance(milliseconds: number): Promise<void> {
      const until = clock.time + milliseconds;
      await settle();
      while (clock.fire(until)) await settle();
      clock.time = until;
    },
  };
  const storage = {
    latestRevision: () => run.revision,
    async compact(revision: number): Promise<void> {
      if (run.errors.length < failures) throw new Error('not now');
      run.compactions.push(revision);
      run.log.push({ at: clock.time, revision });
    },
  };
  startCompactor({ storage, retention, clock, onError: (error) => run.errors.push(error), signal: controller.signal });
  return run;
}

/** Waits for a macrotask, before which all callbacks of resolved promises run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
