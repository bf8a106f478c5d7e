import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import { openTemporaryStorage, temporaryDirectory } from './temporary-directory.conformance.ts';

test('concurrent commits share few transactions', async () => {
  const storage = await openTemporaryStorage();
  await Promise.all(Array.from({ length: 400 }, (_, index) => put(storage, `/${index}`, { text: 'x' })));
  expect(storage.statistics).toEqual({ commits: 400, batches: 1, waiting: 0 });
});

test('changes that arrive during a batch form the next one', async () => {
  const storage = await openTemporaryStorage();
  const writers = 32;
  const each = 20;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let index = 0; index < each; index++) await put(storage, `/${writer}/${index}`, { text: 'x' });
    }),
  );
  const { commits, batches } = storage.statistics;
  expect(commits).toBe(writers * each);
  expect(batches).toBeLessThanOrEqual(each * 2);
});

test('what a watcher writes because of a batch does not wait for the writers that the batch wakes', async () => {
  const storage = await openTemporaryStorage();
  const answered = Promise.withResolvers<number>();
  await storage.watch({
    prefix: '/asked',
    after: 0,
    onEvents: () => answered.resolve(put(storage, '/answer', { text: 'x' })),
    onError: answered.reject,
    signal: new AbortController().signal,
  });
  const asked = await put(storage, '/asked', { text: 'x' });
  const next = await put(storage, '/next', { text: 'x' });
  expect([await answered.promise, next]).toEqual([asked + 1, asked + 2]);
  expect(storage.statistics).toEqual({ commits: 3, batches: 3, waiting: 0 });
});

test('the next batch is sent before the writers of the last one go on', async () => {
  const storage = await openTemporaryStorage();
  const first = put(storage, '/a', { text: 'x' });
  // The first change is sent in the next turn of the event loop.
  await setImmediate();
  expect(storage.statistics.waiting).toBe(0);
  const second = put(storage, '/b', { text: 'x' });
  expect(storage.statistics.waiting).toBe(1);
  await first;
  expect(storage.statistics.waiting).toBe(0);
  await second;
  expect(storage.statistics.batches).toBe(2);
});

test('batches are bounded in bytes and in number', async () => {
  const storage = await openTemporaryStorage();
  const large = Buffer.alloc(1024 * 1024, 'x');
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => storage.commit({ key: `/${index}`, expected: 0, value: large })),
  );
  expect(storage.statistics.batches).toBeGreaterThanOrEqual(3);
  const before = storage.statistics.batches;
  await Promise.all(Array.from({ length: 2000 }, (_, index) => put(storage, `/small/${index}`, { text: 'x' })));
  expect(storage.statistics.batches - before).toBeGreaterThanOrEqual(4);
  expect((await storage.get('/9'))?.value.equals(large)).toBe(true);
});

test('a failed comparison affects only its own commit', async () => {
  const storage = await openTemporaryStorage();
  const first = await put(storage, '/a', { text: '1' });
  const results = await Promise.all([
    storage.commit({ key: '/b', expected: 0, value: Buffer.from('b') }),
    storage.commit({ key: '/a', expected: 0, value: Buffer.from('wrong') }),
    storage.commit({ key: '/a', expected: first, value: Buffer.from('2') }),
    storage.commit({ key: '/a', expected: first, value: Buffer.from('late') }),
    storage.commit({ key: '/c', expected: 0, value: Buffer.from('c') }),
  ]);
  expect(storage.statistics.batches).toBe(2);
  expect(results).toMatchObject([
    { committed: true, revision: first + 1 },
    { committed: false, current: { modRevision: first } },
    { committed: true, revision: first + 2 },
    { committed: false, current: { modRevision: first + 2, value: Buffer.from('2') } },
    { committed: true, revision: first + 3 },
  ]);
});

test('other readers of the database see every commit soon, without another one', async () => {
  const directory = await temporaryDirectory();
  const storage = await openTemporaryStorage({ directory });
  const reader = new Database(join(directory, 'storage.sqlite'), { readonly: true });
  onTestFinished(() => {
    reader.close();
  });
  const newest = reader.prepare<[], number>('SELECT coalesce(max(rev), 0) FROM history').pluck();
  for (let index = 0; index < 20; index += 1) {
    const revision = await put(storage, `/${index}`, { text: 'x' });
    await expect.poll(() => newest.get()).toBe(revision);
  }
});

test('a full store refuses whole batches, exposes no part of them and recovers', async () => {
  const storage = await openTemporaryStorage({ sizeLimit: 1024 * 1024 });
  const recorder = await new Recorder().watch(storage, { prefix: '/', after: 0 });
  const value = Buffer.alloc(100_000, 'x');
  let last = 0;
  let failure: unknown;
  while (failure === undefined) {
    const result = await storage.commit({ key: '/big', expected: last, value }).catch((error: unknown) => {
      failure = error;
    });
    if (result?.committed) last = result.revision;
  }
  expect(failure).toMatchObject({ code: 'Unavailable', cause: { code: 'SQLITE_FULL' } });
  const together = await Promise.allSettled([
    storage.commit({ key: '/small', expected: 0, value: Buffer.from('x') }),
    storage.commit({ key: '/big', expected: last, value }),
  ]);
  expect(together.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
  expect(storage.latestRevision()).toBe(last);
  expect(await storage.get('/small')).toBeUndefined();
  expect(await storage.get('/big')).toMatchObject({ modRevision: last });

  await storage.compact(last);
  expect(await storage.commit({ key: '/big', expected: last, value })).toEqual({ committed: true, revision: last + 1 });
  expect(recorder.events.map((event) => event.revision)).toEqual(Array.from({ length: last + 1 }, (_, i) => i + 1));
});

test('a value over the limit is refused without affecting the rest of its batch', async () => {
  const storage = await openTemporaryStorage();
  const limit = 1.5 * 1024 * 1024;
  const [small, exact, over] = await Promise.allSettled(
    [10, limit, limit + 1].map((size, index) =>
      storage.commit({ key: `/${index}`, expected: 0, value: Buffer.alloc(size) }),
    ),
  );
  expect(small).toMatchObject({ value: { committed: true } });
  expect(exact).toMatchObject({ value: { committed: true } });
  expect(over).toMatchObject({ reason: { code: 'TooLarge' } });
});

test('what waits for a batch is bounded in number and in bytes', async () => {
  const storage = await openTemporaryStorage();
  const refused = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []));
  const value = Buffer.alloc(1024 * 1024, 'x');
  const large = await Promise.allSettled(
    Array.from({ length: 300 }, (_, index) => storage.commit({ key: `/${index % 3}`, expected: 1, value })),
  );
  expect(new Set(refused(large))).toEqual(new Set(['too many changes are waiting to be written']));
  expect(refused(large).length).toBeLessThan(60);
  const small = await Promise.allSettled(
    Array.from({ length: 20_010 }, () => storage.commit({ key: '/a', expected: 1, value: Buffer.from('x') })),
  );
  expect(refused(small)).toHaveLength(10);
  expect(storage.statistics.waiting).toBe(0);
  await put(storage, '/a', { text: 'x' });
});
