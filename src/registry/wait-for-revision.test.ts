import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitForRevision } from './wait-for-revision.ts';

/** A store that reaches the revisions at these times in milliseconds. */
function reaching(steps: Record<number, number>) {
  const start = performance.now();
  const revision = (): number => {
    const past = Object.entries(steps).filter(([time]) => performance.now() - start >= Number(time));
    return past.at(-1)![1];
  };
  return { reached: revision, revision };
}

describe('waiting for a revision', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('returns at once when it has been reached', () => {
    expect(waitForRevision(reaching({ 0: 7 }), 7)).toBe(7);
    expect(waitForRevision(reaching({ 0: 7 }), 0)).toBe(7);
  });

  it('takes as long as the store needs', async () => {
    const waited = Promise.resolve(waitForRevision(reaching({ 0: 7, 2000: 9 }), 8));
    await vi.advanceTimersByTimeAsync(2100);
    expect(await waited).toBe(9);
  });

  it('ends after three seconds', async () => {
    const waited = Promise.resolve(waitForRevision(reaching({ 0: 7, 2000: 8 }), 9));
    const refused = expect(waited).rejects.toMatchObject({
      status: {
        code: 504,
        reason: 'Timeout',
        message: 'Timeout: Too large resource version: 9, current: 8',
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      },
    });
    await vi.advanceTimersByTimeAsync(3100);
    await refused;
  });

  it('asks a store that lags only when it has not reached the revision', async () => {
    expect(waitForRevision({ reached: () => 7, revision: () => Promise.reject(new Error('asked')) }, 7)).toBe(7);
    expect(await waitForRevision({ reached: () => 5, revision: async () => 7 }, 7)).toBe(7);
  });
});
