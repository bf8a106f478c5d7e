import { expect, onTestFinished, test } from 'vitest';
import { fillEmbeddedStorage, openEmbeddedStorage } from './embedded/open-embedded-storage.ts';
import { temporaryDirectory } from './embedded/temporary-directory.conformance.ts';
import { fillMemoryStorage } from './memory/memory-storage.ts';
import type { Filling, Storage, StorageEvent, StoredEntry } from './storage.ts';

const entry = (key: string, createRevision: number, modRevision: number): StoredEntry => ({
  key,
  value: Buffer.from(`value of ${key}`),
  createRevision,
  modRevision,
});
const entries = [entry('/a', 2, 17), entry('/b', 5, 5), entry('/c', 3, 9)];
const all = { start: '/', end: '0' };

const memory = async (): Promise<Filling> => fillMemoryStorage({ revision: 20 });
const embedded = async (): Promise<Filling> =>
  fillEmbeddedStorage({ directory: await temporaryDirectory(), revision: 20 });

const finished = async (filling: Filling): Promise<Storage> => {
  const storage = await filling.finish();
  onTestFinished(() => storage.close());
  return storage;
};

test.each([
  ['memory', memory],
  ['embedded', embedded],
])('%s: entries keep their revisions, and the store goes on after that of the source', async (_title, begin) => {
  const filling = await begin();
  expect(filling.after).toBeUndefined();
  await filling.add(entries.slice(0, 2));
  await filling.add(entries.slice(2));
  const storage = await finished(filling);
  expect(await storage.range(all)).toEqual({ revision: 20, entries, more: false });
  expect([await storage.latestRevision(), storage.compactedRevision()]).toEqual([20, 20]);
  await expect(storage.range({ ...all, revision: 19 })).rejects.toMatchObject({ code: 'RevisionCompacted' });

  const seen: StorageEvent[] = [];
  const options = { prefix: '/', after: 20, onError: () => {}, signal: new AbortController().signal };
  await storage.watch({ ...options, onEvents: (events) => seen.push(...events) });
  await storage.commit({ key: '/a', expected: 17, value: Buffer.from('new') });
  await storage.commit({ key: '/b', expected: 5, value: undefined });
  expect(seen).toMatchObject([
    { revision: 21, key: '/a', createRevision: 2, previous: entries[0] },
    { revision: 22, key: '/b', value: undefined, previous: entries[1] },
  ]);
  await storage.compact(22);
  expect((await storage.range(all)).entries.map(({ key }) => key)).toEqual(['/a', '/c']);
});

test('an empty source', async () => {
  const storage = await finished(await embedded());
  expect(await storage.range(all)).toEqual({ revision: 20, entries: [], more: false });
});

test('entries of one transaction get revisions of their own', async () => {
  const filling = await embedded();
  await filling.add([entry('/a', 4, 20), entry('/b', 20, 20), entry('/c', 20, 20)]);
  const storage = await finished(filling);
  const found = (await storage.range(all)).entries.map(({ key, modRevision }) => [key, modRevision]);
  expect(found).toEqual([
    ['/a', 20],
    ['/b', 21],
    ['/c', 22],
  ]);
  expect(await storage.latestRevision()).toBe(22);
});

test('an interrupted filling of a directory goes on where it stopped', async () => {
  const directory = await temporaryDirectory();
  const first = await fillEmbeddedStorage({ directory, revision: 20 });
  await first.add(entries.slice(0, 2));
  await first.close();

  await expect(openEmbeddedStorage({ directory })).rejects.toMatchObject({
    code: 'Corrupt',
    message: expect.stringContaining('has not been finished'),
  });
  const second = await fillEmbeddedStorage({ directory, revision: 25 });
  expect(second).toMatchObject({ revision: 20, after: '/b' });
  await second.add(entries.slice(2));
  const storage = await finished(second);
  expect((await storage.range(all)).entries).toEqual(entries);
  await storage.close();

  const opened = await openEmbeddedStorage({ directory });
  onTestFinished(() => opened.close());
  expect([opened.latestRevision(), (await opened.range(all)).entries]).toEqual([20, entries]);
});

test('a store that is in use or not empty is refused', async () => {
  const directory = await temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory });
  await expect(fillEmbeddedStorage({ directory, revision: 20 })).rejects.toMatchObject({ code: 'InUse' });
  await storage.commit({ key: '/a', expected: 0, value: Buffer.from('x') });
  await storage.close();
  await expect(fillEmbeddedStorage({ directory, revision: 20 })).rejects.toMatchObject({
    code: 'NotEmpty',
    message: expect.stringContaining('not empty'),
  });
});

test.each([
  ['memory', () => fillMemoryStorage({ revision: 20, valueLimit: 3 })],
  ['embedded', async () => fillEmbeddedStorage({ directory: await temporaryDirectory(), revision: 20, valueLimit: 3 })],
])('%s: a value beyond the limit is refused', async (_title, begin) => {
  const filling = await begin();
  onTestFinished(() => filling.close());
  await expect(filling.add(entries)).rejects.toMatchObject({ code: 'TooLarge' });
});
