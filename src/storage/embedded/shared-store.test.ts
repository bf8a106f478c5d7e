import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import { describeModel } from '../conformance/model.conformance.ts';
import type { EmbeddedStorage } from './embedded-storage.ts';
import { connectStorage, SharedStore } from './shared-store.ts';
import { openSharedFixture } from './shared-store-fixture.conformance.ts';

// `shared-store.long.test.ts` runs the whole suite.
describeModel(openSharedFixture, { singleWriter: true, randomRuns: 4 });

async function openShared(): Promise<SharedStore> {
  const store = await SharedStore.open({ directory: undefined });
  onTestFinished(() => store.close());
  return store;
}

async function connect(store: SharedStore, onEnd?: (error: Error) => void): Promise<EmbeddedStorage> {
  const storage = connectStorage(await store.connect(), onEnd);
  onTestFinished(() => storage.close());
  return storage;
}

/** Starts a thread that adds to a number in the store. The flag is set when it is done. */
async function startCounting(store: SharedStore, options: { key: string; times: number; flag?: Int32Array }) {
  const connection = await store.connect();
  const script = new URL('./counting-thread.conformance.ts', import.meta.url);
  const workerData = { connection, ...options };
  const thread = new Worker(script, { workerData, transferList: [connection.port] });
  onTestFinished(async () => void (await thread.terminate()));
  return thread;
}

test('what one thread was told to be committed, another has without waiting', async () => {
  const store = await openShared();
  const reader = await connect(store);
  const recorder = await new Recorder().watch(reader, { prefix: '/', after: 0 });
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const thread = await startCounting(store, { key: '/n', times: 3, flag });
  await once(thread, 'online');
  // This thread receives no messages meanwhile.
  Atomics.wait(flag, 0, 0);
  expect(recorder.events).toEqual([]);
  expect(reader.latestRevision()).toBe(3);
  expect(recorder.eventTexts(0)).toEqual(['1 /n=1', '2 /n=2 was 1', '3 /n=3 was 2']);
});

test('a large value that is replaced in its own batch reaches the threads that keep it', async () => {
  const store = await openShared();
  const [writer, reader] = [await connect(store), await connect(store)];
  await reader.range({ start: '/', end: '0', keep: '/' });
  const recorder = await new Recorder().watch(reader, { prefix: '/', after: 0 });
  const [first, second] = ['a', 'b'].map((letter) => Buffer.alloc(1024 * 1024, letter));
  await writer.commitTwice!({ key: '/large', expected: 0, value: first! }, second!);
  reader.latestRevision();
  expect(recorder.events.map(({ value }) => value)).toEqual([first, second]);
});

test('a watcher that joins while others write misses nothing and gets nothing twice', async () => {
  const store = await openShared();
  const [writer, reader] = [await connect(store), await connect(store)];
  const writes = Array.from({ length: 300 }, (_, index) => put(writer, `/${index}`, { text: 'x' }));
  const recorders: Recorder[] = [];
  for (let joined = 0; joined < 20; joined += 1) {
    recorders.push(await new Recorder().watch(reader, { prefix: '/', after: joined }));
    reader.latestRevision();
  }
  await Promise.all(writes);
  reader.latestRevision();
  recorders.forEach(({ events }, after) => {
    const revisions = events.map(({ revision }) => revision);
    expect(revisions).toEqual(Array.from({ length: 300 - after }, (_, index) => after + index + 1));
  });
});

test('commits of several threads are decided in one order that all of them are told', async () => {
  const store = await openShared();
  const reader = await connect(store);
  const recorder = await new Recorder().watch(reader, { prefix: '/n', after: 0 });
  const times = 50;
  const threads = await Promise.all(Array.from({ length: 3 }, () => startCounting(store, { key: '/n', times })));
  await Promise.all(threads.map((thread) => once(thread, 'message')));
  reader.latestRevision();
  const received = recorder.events.map(
    ({ revision, value, previous }) => `${revision} ${previous?.value ?? ''}>${value}`,
  );
  expect(received).toEqual(Array.from({ length: 3 * times }, (_, n) => `${n + 1} ${n === 0 ? '' : n}>${n + 1}`));
  for (const thread of threads) {
    thread.postMessage('tell');
    expect((await once(thread, 'message'))[0]).toEqual(received);
  }
});

test('a compaction waits for the reads of other threads, and all threads refuse what it removes', async () => {
  const store = await openShared();
  const [owner, reader] = [await connect(store), await connect(store)];
  const first = await put(owner, '/a', { text: 'x'.repeat(300_000) });
  for (const key of ['/b', '/c', '/d']) await put(owner, key, { text: 'x'.repeat(300_000) });
  const latest = await put(owner, '/a', { text: 'y', expected: first });
  // The range has several chunks, so the compaction runs in between.
  const reading = reader.range({ start: '/', end: '0', revision: latest - 1 });
  const compacting = owner.compact(latest);
  expect((await reading).entries.map(({ key, value }) => `${key} ${value.length}`)).toEqual([
    '/a 300000',
    '/b 300000',
    '/c 300000',
    '/d 300000',
  ]);
  await compacting;
  expect(reader.compactedRevision()).toBe(latest);
  await expect(reader.get('/a', { revision: latest - 1 })).rejects.toMatchObject({ code: 'RevisionCompacted' });
  await expect(new Recorder().watch(reader, { prefix: '/', after: 0 })).rejects.toMatchObject({
    code: 'RevisionCompacted',
  });
});

test('a thread that ends leaves the store to the others, and its place to the next one', async () => {
  const store = await openShared();
  const storage = await connect(store);
  const connection = await store.connect();
  const script = `const { workerData } = process.getBuiltinModule('worker_threads');
    workerData.port.on('message', () => {}); setInterval(() => {}, 1000)`;
  const thread = new Worker(script, { eval: true, workerData: connection, transferList: [connection.port] });
  await once(thread, 'online');
  await thread.terminate();
  await store.release(connection);
  const revision = await put(storage, '/a', { text: 'x' });
  const next = await store.connect();
  expect(next.slot).toBe(connection.slot);
  const replacement = connectStorage(next);
  onTestFinished(() => replacement.close());
  expect(replacement.latestRevision()).toBe(revision);
  await put(storage, '/b', { text: 'x' });
  expect((await replacement.range({ start: '/', end: '0' })).entries).toHaveLength(2);
});

test('the commits of a thread that has ended are decided before its place is free', async () => {
  const store = await openShared();
  const storage = await connect(store);
  for (let round = 0; round < 3; round += 1) {
    const connection = await store.connect();
    const workerData = { connection, key: '/n', times: 1_000_000 };
    const script = new URL('./counting-thread.conformance.ts', import.meta.url);
    const thread = new Worker(script, { workerData, transferList: [connection.port] });
    const begun = storage.latestRevision();
    await expect.poll(() => storage.latestRevision(), { interval: 1 }).toBeGreaterThan(begun);
    await thread.terminate();
    await store.release(connection);
    const revision = storage.latestRevision();
    expect(await put(storage, `/${round}`, { text: 'x' })).toBe(revision + 1);
  }
});

test('the end of the storage thread ends the watches and commits of all threads', async () => {
  const store = await openShared();
  const ends: Error[] = [];
  const threads = [
    await connect(store, (error) => ends.push(error)),
    await connect(store, (error) => ends.push(error)),
  ];
  const recorders = await Promise.all(threads.map((thread) => new Recorder().watch(thread, { prefix: '/', after: 0 })));
  await store.close();
  await expect.poll(() => ends.length).toBe(2);
  for (const { errors } of recorders) expect(errors).toMatchObject([{ code: 'Unavailable' }]);
  for (const thread of threads) {
    await expect(put(thread, '/a', { text: 'x' })).rejects.toMatchObject({ code: 'Unavailable' });
  }
});
