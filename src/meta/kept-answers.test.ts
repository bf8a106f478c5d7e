import { describe, expect, it } from 'vitest';
import { KeptAnswers } from './kept-answers.ts';

function started() {
  const clock = { now: 0 };
  const answers = new KeptAnswers<number | undefined>({ maximum: 2, now: () => clock.now });
  let asked = 0;
  const ask = async () => ({ value: ++asked, keptMs: 10 });
  return { answers, clock, ask };
}

describe('KeptAnswers', () => {
  it('returns a cached answer synchronously until it expires', async () => {
    const { answers, clock, ask } = started();
    expect(await answers.get('a', ask)).toBe(1);
    clock.now = 9;
    expect(answers.get('a', ask)).toBe(1);
    clock.now = 10;
    expect(await answers.get('a', ask)).toBe(2);
  });

  it('shares one call among concurrent requests for a key', async () => {
    const { answers, ask } = started();
    const asking = [answers.get('a', ask), answers.get('a', ask), answers.get('b', ask)];
    expect(await Promise.all(asking)).toEqual([1, 1, 2]);
  });

  it('caches undefined', async () => {
    const { answers, ask } = started();
    await answers.get('a', async () => ({ value: undefined, keptMs: 10 }));
    expect(answers.get('a', ask)).toBeUndefined();
  });

  it('caches neither failures nor answers with a lifetime of zero', async () => {
    const { answers, ask } = started();
    await expect(answers.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await answers.get('a', async () => ({ value: 0, keptMs: 0 }))).toBe(0);
    expect(await answers.get('a', ask)).toBe(1);
  });
});
