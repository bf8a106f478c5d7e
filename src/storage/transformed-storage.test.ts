import { expect, test } from 'vitest';
import { createMemoryStorage } from './memory/memory-storage.ts';
import { describeStorage } from './storage.conformance.ts';
import type { StorageEvent } from './storage.ts';
import { TransformedStorage, type ValueTransformer } from './transformed-storage.ts';

const inverted = (value: Buffer): Buffer => Buffer.from(value.map((byte) => byte ^ 0xff));

const inverting: ValueTransformer = {
  toStored: inverted,
  fromStored: (stored) => ({ value: inverted(stored) }),
};

describeStorage(
  'transformed storage',
  async () => {
    const storage = new TransformedStorage(createMemoryStorage(), inverting);
    return { storage, dispose: () => storage.close() };
  },
  { singleWriter: true, randomRuns: 20 },
);

test('the storage behind has the other form', async () => {
  const behind = createMemoryStorage();
  const storage = new TransformedStorage(behind, inverting);
  await storage.commit({ key: '/a', expected: 0, value: Buffer.from('x') });
  expect((await behind.get('/a'))?.value).toEqual(inverted(Buffer.from('x')));
});

test('the first event of an own write is not read again, and every event has its own value', async () => {
  const behind = createMemoryStorage();
  const read: string[] = [];
  const storage = new TransformedStorage(behind, {
    toStored: inverted,
    fromStored: (stored, key) => {
      read.push(key);
      return { value: inverted(stored) };
    },
  });
  const seen: string[] = [];
  const onEvents = (events: readonly StorageEvent[]): void => {
    for (const { key, value } of events) seen.push(`${key} ${value}`);
  };
  const signal = new AbortController().signal;
  await storage.watch({ prefix: '/', after: 0, withoutPrevious: true, onEvents, onError: () => {}, signal });
  await storage.commit({ key: '/own', expected: 0, value: Buffer.from('1') });
  expect(read).toEqual([]);
  await behind.commit({ key: '/own', expected: 1, value: inverted(Buffer.from('2')) });
  expect(read).toEqual(['/own']);
  expect(seen.splice(0)).toEqual(['/own 1', '/own 2']);
  // More keys than there are places for them.
  const keys = Array.from({ length: 1000 }, (_, index) => `/many/${index}`);
  await Promise.all(keys.map((key) => storage.commit({ key, expected: 0, value: Buffer.from(key) })));
  expect(seen.toSorted()).toEqual(keys.map((key) => `${key} ${key}`).toSorted());
});

test('events whose values take their time arrive in order', async () => {
  const behind = createMemoryStorage();
  const waiting: (() => void)[] = [];
  // Only the first value can be read.
  const storage = new TransformedStorage(behind, {
    toStored: (value) => value,
    fromStored: (value) =>
      value.toString() === 'slow'
        ? new Promise((resolve) => waiting.push(() => resolve({ value })))
        : { value, stale: true },
  });
  const seen: StorageEvent[] = [];
  const options = { prefix: '/', after: 0, onError: () => {}, signal: new AbortController().signal };
  await storage.watch({ ...options, onEvents: (events) => seen.push(...events) });
  await behind.commit({ key: '/a', expected: 0, value: Buffer.from('slow') });
  await behind.commit({ key: '/b', expected: 0, value: Buffer.from('quick') });
  expect(seen).toEqual([]);
  for (const go of waiting) go();
  await expect
    .poll(() => seen.map(({ key, stale }) => [key, stale]))
    .toEqual([
      ['/a', undefined],
      ['/b', true],
    ]);
});

test('a value that cannot be read is corrupt, and affects no other', async () => {
  const storage = new TransformedStorage(createMemoryStorage(), {
    toStored: (value) => value,
    fromStored: (value) => ({ value, corrupt: value.toString() === 'bad' ? 'the key is unknown' : undefined }),
  });
  await storage.commit({ key: '/a', expected: 0, value: Buffer.from('bad') });
  await storage.commit({ key: '/b', expected: 0, value: Buffer.from('good') });
  const { entries } = await storage.range({ start: '/', end: '0' });
  expect(entries.map(({ corrupt }) => corrupt)).toEqual(['the key is unknown', undefined]);
});

test('a value that cannot be written fails its commit', async () => {
  const storage = new TransformedStorage(createMemoryStorage(), {
    toStored: () => Promise.reject(new Error('no key')),
    fromStored: (value) => ({ value }),
  });
  await expect(storage.commit({ key: '/a', expected: 0, value: Buffer.from('x') })).rejects.toThrow('no key');
  expect(await storage.get('/a')).toBeUndefined();
});

test('a value that can be read later fails its read and its watch', async () => {
  const behind = createMemoryStorage();
  const storage = new TransformedStorage(behind, {
    toStored: (value) => value,
    fromStored: () => Promise.reject(new Error('not yet')),
  });
  const errors: string[] = [];
  const onError = (error: Error): void => void errors.push(error.message);
  await storage.watch({ prefix: '/', after: 0, onEvents() {}, onError, signal: new AbortController().signal });
  await behind.commit({ key: '/a', expected: 0, value: Buffer.from('x') });
  await expect.poll(() => errors).toEqual(['not yet']);
  await expect(storage.get('/a')).rejects.toThrow('not yet');
  await expect(storage.range({ start: '/', end: '0' })).rejects.toThrow('not yet');
});

test('watches of some prefixes can be ended', async () => {
  const storage = new TransformedStorage(createMemoryStorage(), inverting);
  const received: string[] = [];
  const stopped = new AbortController();
  const watch = (prefix: string, signal = new AbortController().signal) =>
    storage.watch({
      prefix,
      after: 0,
      onEvents: (events) => void received.push(...events.map(({ key }) => `${prefix} has ${key}`)),
      onError: ({ message }) => void received.push(`${prefix} ${message}`),
      signal,
    });
  for (const prefix of ['/a/', '/b/', '/a/x/', '/']) await watch(prefix);
  await watch('/a/y/', stopped.signal);
  stopped.abort();
  storage.endWatches(['/a/'], new Error('ended'));
  expect(received.splice(0)).toEqual(['/a/ ended', '/a/x/ ended', '/ ended']);
  await storage.commit({ key: '/a/x/1', expected: 0, value: Buffer.from('x') });
  await storage.commit({ key: '/b/1', expected: 0, value: Buffer.from('x') });
  expect(received).toEqual(['/b/ has /b/1']);
});

test('the event of a write of its own is not read again', async () => {
  let reads = 0;
  const storage = new TransformedStorage(createMemoryStorage(), {
    toStored: inverted,
    fromStored: (stored) => {
      reads++;
      return { value: inverted(stored) };
    },
  });
  const seen: string[] = [];
  await storage.watch({
    prefix: '/',
    after: 0,
    withoutPrevious: true,
    onEvents: (events) => seen.push(...events.map(({ value }) => String(value))),
    onError: () => {},
    signal: new AbortController().signal,
  });
  await storage.commit({ key: '/a', expected: 0, value: Buffer.from('x') });
  await storage.commit({ key: '/a', expected: 1, value: Buffer.from('y') });
  expect({ seen, reads }).toEqual({ seen: ['x', 'y'], reads: 0 });
});
