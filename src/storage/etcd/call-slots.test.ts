import { expect, test } from 'vitest';
import { CallSlots } from './call-slots.ts';

test('limits the calls in flight, in order, and tells when none is left', async () => {
  const slots = new CallSlots({ slots: 2, waiting: 10 });
  const started: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const run = (index: number): Promise<void> =>
    slots.run(() => {
      started.push(index);
      return ends[index]!.promise;
    }, 60_000);
  const runs = ends.map((_, index) => run(index));
  expect(started).toEqual([0, 1]);
  ends[1]!.resolve();
  await runs[1];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  ends[0]!.reject(new Error('failed'));
  await expect(runs[0]).rejects.toThrow('failed');
  ends[2]!.resolve();
  ends[3]!.resolve();
  await slots.idle();
  expect(started).toEqual([0, 1, 2, 3]);
  await Promise.all(runs.slice(1));
});

test('refuses more callers than may wait, and those that wait for too long', async () => {
  const slots = new CallSlots({ slots: 1, waiting: 1 });
  const end = Promise.withResolvers<void>();
  const first = slots.run(() => end.promise, 60_000);
  const second = slots.run(async () => {}, 1);
  await expect(slots.run(async () => {}, 60_000)).rejects.toMatchObject({ code: 'Unavailable' });
  await expect(second).rejects.toMatchObject({ code: 'Unavailable' });
  end.resolve();
  await first;
  expect(await slots.run(async () => 'free', 60_000)).toBe('free');
});
