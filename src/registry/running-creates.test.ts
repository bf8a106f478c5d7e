import { expect, it } from 'vitest';
import type { Verbs } from './resource.ts';
import { RunningCreates } from './running-creates.ts';

const request = {} as never;

it('waits for the writes that have begun, whether they fail or not', async () => {
  const creates = new RunningCreates();
  const [created, updated] = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
  const verbs = creates.counted({ create: () => created.promise, update: () => updated.promise } as Verbs);
  const answers = [verbs.create!(request), verbs.update!(request)] as const;
  let hasEnded = false;
  const ended = creates.ended().then(() => {
    hasEnded = true;
  });
  updated.reject(new Error('refused'));
  await expect(answers[1]).rejects.toThrow('refused');
  expect(hasEnded).toBe(false);
  created.resolve('the object' as never);
  await ended;
  expect(await answers[0]).toBe('the object');
  await creates.ended();
});

it('counts neither reads nor verbs that the type does not have', async () => {
  const creates = new RunningCreates();
  const get: Verbs['get'] = () => new Promise(() => {});
  const verbs = creates.counted({ get });
  expect(verbs.get).toBe(get);
  expect([verbs.create, verbs.update, verbs.apply]).toEqual([undefined, undefined, undefined]);
  void verbs.get!(request);
  await creates.ended();
});
