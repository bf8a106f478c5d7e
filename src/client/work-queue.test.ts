import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** A queue whose work waits until the test releases it. */
function held(options: Partial<WorkQueueOptions> = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const begun: string[] = [];
  const errors: string[] = [];
  const open: (() => void)[] = [];
  const work = (key: string): Promise<void> => {
    begun.push(key);
    return new Promise((resolve) => void open.push(resolve));
  };
  const queue = new WorkQueue(work, { report: (error) => void errors.push(error.message), ...options }, stop.signal);
  return { queue, begun, errors, stop, release: () => open.shift()!() };
}

describe('a work queue', () => {
  it('processes a limited number of keys concurrently, each once', async () => {
    const { queue, begun, release } = held({ workers: 2 });
    for (const key of ['a', 'b', 'c', 'c', 'd']) queue.add(key);
    expect(begun).toEqual(['a', 'b']);
    expect(queue.size).toBe(2);
    for (let count = 0; count < 4; count++) {
      release();
      await vi.waitFor(() => expect(begun).toHaveLength(Math.min(3 + count, 4)), { interval: 1 });
    }
    await queue.idle();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('processes a key again that is added during its processing, never concurrently', async () => {
    const { queue, begun, release } = held();
    queue.add('a');
    queue.add('a');
    queue.add('a');
    expect(begun).toEqual(['a']);
    release();
    await vi.waitFor(() => expect(begun).toEqual(['a', 'a']), { interval: 1 });
    release();
    await queue.idle();
    expect(begun).toEqual(['a', 'a']);
  });

  it('retries failed keys with increasing delays until they succeed', async () => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const reported: string[] = [];
    const delays: number[] = [];
    let last = performance.now();
    const work = async (): Promise<void> => {
      delays.push(performance.now() - last);
      last = performance.now();
      if (delays.length < 4) throw new Error(`failure ${delays.length}`);
    };
    const queue = new WorkQueue(
      work,
      { report: ({ message }, key) => void reported.push(`${key}: ${message}`), backoff },
      stop.signal,
    );
    queue.add('a');
    await vi.waitFor(() => expect(delays).toHaveLength(4), { interval: 1 });
    expect(reported).toEqual(['a: failure 1', 'a: failure 2', 'a: failure 3']);
    expect(delays[2]).toBeGreaterThan(8);
    expect(delays[3]).toBeGreaterThan(18);
  });
  const backoff = { initialMs: 5, maxMs: 1000, random: () => 0 };

  it('uses the earliest of several times', async () => {
    const { queue, begun } = held();
    queue.addAfter('a', 3_000_000_000);
    queue.addAfter('a', 1);
    queue.addAfter('a', 3_000_000_000);
    queue.addAfter('b', 3_000_000_000);
    queue.addAfter('c', 0);
    expect(begun).toEqual(['c']);
    await vi.waitFor(() => expect(begun).toEqual(['c', 'a']), { interval: 1 });
  });

  it('completes running work after the abort and starts no more', async () => {
    const { queue, begun, release, stop } = held({ workers: 1 });
    queue.add('a');
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 1);
    stop.abort();
    queue.add('d');
    let isOver = false;
    const over = queue.idle().then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    release();
    await over;
    expect(begun).toEqual(['a']);
  });
});
