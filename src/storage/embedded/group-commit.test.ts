import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import type { EmbeddedStorage } from './embedded-storage.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';
import { makeTemporaryDirectory, openTemporaryStorage, removeDirectory } from './temporary-directory.conformance.ts';

/** A store for tests with separate keys. */
let storage: EmbeddedStorage;
let shared: string;
beforeAll(async () => {
  shared = await makeTemporaryDirectory();
  storage = await openEmbeddedStorage({ directory: shared });
});
afterAll(async () => {
  await storage.close();
  await removeDirectory(shared);
});

/** Returns a function that returns the counts since this call. */
function countCommits(): () => { commits: number; batches: number } {
  const before = { ...storage.statistics };
  return () => ({
    commits: storage.statistics.commits - before.commits,
    batches: storage.statistics.batches - before.batches,
  });
}

test('concurrent commits share few transactions', async () => {
  const counted = countCommits();
  await Promise.all(Array.from({ length: 400 }, (_, index) => put(storage, `/few/${index}`, { text: 'x' })));
  expect(counted()).toEqual({ commits: 400, batches: 1 });
  expect(storage.statistics.waiting).toBe(0);
});

test('changes that arrive during a batch form the next one', async () => {
  const counted = countCommits();
  const writers = 32;
  const each = 20;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let index = 0; index < each; index++) await put(storage, `/next/${writer}/${index}`, { text: 'x' });
    }),
  );
  const { commits, batches } = counted();
  expect(commits).toBe(writers * each);
  expect(batches).toBeLessThanOrEqual(each * 2);
});

test('what a watcher writes because of a batch does not wait for the writers that the batch wakes', async () => {
  const counted = countCommits();
  const written = Promise.withResolvers<number>();
  await storage.watch({
    prefix: '/asked',
    after: storage.latestRevision(),
    onEvents: () => written.resolve(put(storage, '/answer', { text: 'x' })),
    onError: written.reject,
    signal: new AbortController().signal,
  });
  const requested = await put(storage, '/asked', { text: 'x' });
  const next = await put(storage, '/next', { text: 'x' });
  expect([await written.promise, next]).toEqual([requested + 1, requested + 2]);
  expect(counted()).toEqual({ commits: 3, batches: 3 });
  expect(storage.statistics.waiting).toBe(0);
});

test('the next batch is sent before the writers of the last one go on', async () => {
  const counted = countCommits();
  const first = put(storage, '/sent/a', { text: 'x' });
  // The first change is sent in the next turn of the event loop.
  await setImmediate();
  expect(storage.statistics.waiting).toBe(0);
  const second = put(storage, '/sent/b', { text: 'x' });
  expect(storage.statistics.waiting).toBe(1);
  await first;
  expect(storage.statistics.waiting).toBe(0);
  await second;
  expect(counted().batches).toBe(2);
});

test('two values of a key share a transaction', async () => {
  const counted = countCommits();
  await storage.commitTwice({ key: '/twice', expected: 0, value: Buffer.from('a') }, Buffer.from('b'));
  expect(counted()).toEqual({ commits: 2, batches: 1 });
});

test('only the first of two values is committed if the second is too large', async () => {
  const change = { key: '/twice/large', expected: 0, value: Buffer.from('a') };
  const { first, isReplaced } = await storage.commitTwice(change, Buffer.alloc(2 * 1024 * 1024));
  expect([first.committed, isReplaced]).toEqual([true, false]);
  expect((await storage.get('/twice/large'))?.value).toEqual(Buffer.from('a'));
});

test('batches are bounded in bytes and in number', async () => {
  const ofLarge = countCommits();
  const large = Buffer.alloc(1024 * 1024, 'x');
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => storage.commit({ key: `/large/${index}`, expected: 0, value: large })),
  );
  expect(ofLarge().batches).toBeGreaterThanOrEqual(3);
  const ofSmall = countCommits();
  await Promise.all(Array.from({ length: 2000 }, (_, index) => put(storage, `/small/${index}`, { text: 'x' })));
  expect(ofSmall().batches).toBeGreaterThanOrEqual(4);
  expect((await storage.get('/large/9'))?.value.equals(large)).toBe(true);
});

test('a failed comparison affects only its own commit', async () => {
  const counted = countCommits();
  const first = await put(storage, '/failed/a', { text: '1' });
  const results = await Promise.all([
    storage.commit({ key: '/failed/b', expected: 0, value: Buffer.from('b') }),
    storage.commit({ key: '/failed/a', expected: 0, value: Buffer.from('wrong') }),
    storage.commit({ key: '/failed/a', expected: first, value: Buffer.from('2') }),
    storage.commit({ key: '/failed/a', expected: first, value: Buffer.from('late') }),
    storage.commit({ key: '/failed/c', expected: 0, value: Buffer.from('c') }),
  ]);
  expect(counted().batches).toBe(2);
  expect(results).toMatchObject([
    { committed: true, revision: first + 1 },
    { committed: false, current: { modRevision: first } },
    { committed: true, revision: first + 2 },
    { committed: false, current: { modRevision: first + 2, value: Buffer.from('2') } },
    { committed: true, revision: first + 3 },
  ]);
});

test('other readers of the database see every commit soon, without another one', async () => {
  const reader = new Database(join(shared, 'storage.sqlite'), { readonly: true });
  onTestFinished(() => {
    reader.close();
  });
  const newest = reader.prepare<[], number>('SELECT coalesce(max(rev), 0) FROM history').pluck();
  for (let index = 0; index < 20; index += 1) {
    const revision = await put(storage, `/read/${index}`, { text: 'x' });
    await expect.poll(() => newest.get()).toBe(revision);
  }
});

test('a full store refuses whole batches, exposes no part of them and recovers', async () => {
  const full = await openTemporaryStorage({ sizeLimit: 1024 * 1024 });
  const recorder = await new Recorder().watch(full, { prefix: '/', after: 0 });
  const value = Buffer.alloc(100_000, 'x');
  let last = 0;
  let failure: unknown;
  while (failure === undefined) {
    const result = await full.commit({ key: '/big', expected: last, value }).catch((error: unknown) => {
      failure = error;
    });
    if (result?.committed) last = result.revision;
  }
  expect(failure).toMatchObject({ code: 'Unavailable', cause: { code: 'SQLITE_FULL' } });
  const together = await Promise.allSettled([
    full.commit({ key: '/small', expected: 0, value: Buffer.from('x') }),
    full.commit({ key: '/big', expected: last, value }),
  ]);
  expect(together.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
  expect(full.latestRevision()).toBe(last);
  expect(await full.get('/small')).toBeUndefined();
  expect(await full.get('/big')).toMatchObject({ modRevision: last });

  await full.compact(last);
  expect(await full.commit({ key: '/big', expected: last, value })).toEqual({ committed: true, revision: last + 1 });
  expect(recorder.events.map((event) => event.revision)).toEqual(Array.from({ length: last + 1 }, (_, i) => i + 1));
});

test('a value over the limit is refused without affecting the rest of its batch', async () => {
  const limit = 1.5 * 1024 * 1024;
  const [small, exact, over] = await Promise.allSettled(
    [10, limit, limit + 1].map((size, index) =>
      storage.commit({ key: `/limit/${index}`, expected: 0, value: Buffer.alloc(size) }),
    ),
  );
  expect(small).toMatchObject({ value: { committed: true } });
  expect(exact).toMatchObject({ value: { committed: true } });
  expect(over).toMatchObject({ reason: { code: 'TooLarge' } });
});

test('what waits for a batch is bounded in number and in bytes', async () => {
  const refused = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []));
  const value = Buffer.alloc(1024 * 1024, 'x');
  const large = await Promise.allSettled(
    Array.from({ length: 300 }, (_, index) => storage.commit({ key: `/waiting/${index % 3}`, expected: 1, value })),
  );
  expect(new Set(refused(large))).toEqual(new Set(['too many changes are waiting to be written']));
  expect(refused(large).length).toBeLessThan(60);
  const small = await Promise.allSettled(
    Array.from({ length: 20_010 }, () => storage.commit({ key: '/waiting/a', expected: 1, value: Buffer.from('x') })),
  );
  expect(refused(small)).toHaveLength(10);
  expect(storage.statistics.waiting).toBe(0);
  await put(storage, '/waiting/a', { text: 'x' });
});
