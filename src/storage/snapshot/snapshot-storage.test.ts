import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Random } from '../../../test/codec/random.ts';
import { StorageError } from '../storage.ts';
import { type EtcdChange, etcdDatabase, withHash } from './etcd-file.conformance.ts';
import { isSnapshotFile, openSnapshot, type SnapshotStorage } from './snapshot-storage.ts';

async function fileWith(content: Buffer): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-snapshot-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'snapshot.db');
  await writeFile(path, content);
  return path;
}

async function opened(content: Buffer): Promise<SnapshotStorage> {
  const storage = await openSnapshot(await fileWith(content));
  onTestFinished(() => storage.close());
  return storage;
}

const keysOf = async (storage: SnapshotStorage): Promise<string[]> =>
  (await storage.range({ start: '/', end: '0' })).entries.map(({ key }) => key);

const large = Buffer.alloc(100_000, 'x');
const changes: readonly EtcdChange[] = [
  { revision: 2, key: '/b', value: 'old' },
  { revision: 3, key: '/c', value: 'gone' },
  { revision: 4, key: '/a', value: large },
  { revision: 5, key: '/b', createRevision: 2, value: 'new' },
  { revision: 6, key: '/é', value: '' },
  { revision: 6, sub: 1, key: '/d', value: 'same transaction' },
  { revision: 7, key: Buffer.from('/\xff', 'latin1'), value: 'a key that is no text' },
  { revision: 8, key: '/c' },
];

test.each([
  ['in pages', 2],
  ['in many pages', 1],
  ['in the parent of the bucket', undefined],
])('the newest state, with changes %s', async (_title, perPage) => {
  const storage = await opened(withHash(etcdDatabase({ changes, ...(perPage !== undefined && { perPage }) })));
  const { entries, ...rest } = await storage.range({ start: '/', end: '0', count: true });
  expect(rest).toEqual({ revision: 8, more: false, count: 4 });
  expect(entries).toEqual([
    { key: '/a', value: large, createRevision: 4, modRevision: 4 },
    { key: '/b', value: Buffer.from('new'), createRevision: 2, modRevision: 5 },
    { key: '/d', value: Buffer.from('same transaction'), createRevision: 6, modRevision: 6 },
    { key: '/é', value: Buffer.alloc(0), createRevision: 6, modRevision: 6 },
  ]);
  expect(storage.size).toBe(4);
  expect(storage.isHashed).toBe(true);
  expect(await storage.get('/d')).toEqual(entries[2]);
  expect(await storage.get('/c')).toBeUndefined();
});

test('ranges are read in parts', async () => {
  const storage = await opened(etcdDatabase({ changes, perPage: 2 }));
  const first = await storage.range({ start: '/a', end: '/é', limit: 2, revision: 8 });
  expect([first.entries.map(({ key }) => key), first.more]).toEqual([['/a', '/b'], true]);
  const second = await storage.range({ start: '/b\0', end: '/é', limit: 2 });
  expect([second.entries.map(({ key }) => key), second.more]).toEqual([['/d'], false]);
  expect((await storage.range({ start: '/z', end: '/a' })).entries).toEqual([]);
});

test('a compaction may be newer than every change that is left', async () => {
  const storage = await opened(etcdDatabase({ changes: changes.slice(0, 2), compacted: 40 }));
  expect([storage.latestRevision(), storage.compactedRevision()]).toEqual([40, 40]);
});

test('it has no past and no future, and cannot be changed', async () => {
  const storage = await opened(etcdDatabase({ changes }));
  const signal = new AbortController().signal;
  await storage.probe(signal);
  await expect(storage.get('/a', { revision: 7 })).rejects.toMatchObject({ code: 'RevisionCompacted' });
  await expect(storage.get('/a', { revision: 9 })).rejects.toMatchObject({ code: 'RevisionInFuture' });
  await expect(storage.commit()).rejects.toMatchObject({ code: 'Unavailable' });
  await storage.close();
  await storage.close();
  await expect(storage.get('/a')).rejects.toMatchObject({ code: 'Closed' });
});

test('a copied database has no hash', async () => {
  expect((await opened(etcdDatabase({ changes, perPage: 2 }))).isHashed).toBe(false);
});

test('a damaged first meta page is replaced by the second', async () => {
  const database = etcdDatabase({ changes, perPage: 2 });
  database.fill(0, 16, 40);
  expect(await keysOf(await opened(database))).toHaveLength(4);
});

const whole = etcdDatabase({ changes, perPage: 2 });
const changed = (change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(whole);
  change(copy);
  return copy;
};
/** The first branch or leaf page of the type. */
const pageOf = (type: number): number => {
  for (let at = 2 * 4096; at < whole.length; at += 4096) if (whole.readUInt16LE(at + 8) === type) return at;
  throw new Error('there is no such page');
};

test.each([
  ['an empty file', Buffer.alloc(0), 'is not a snapshot of etcd'],
  ['a text', Buffer.from('{"kind":"List"}\n'), 'is not a snapshot of etcd'],
  ['a file that has been cut off', whole.subarray(0, whole.length - 4096), 'it has been cut off'],
  ['a file that has been cut off in a page', whole.subarray(0, whole.length - 100), 'it has been cut off'],
  ['a changed byte', withHash(whole).fill(1, 9000, 9001), 'it does not match the SHA-256 hash'],
  ['two damaged meta pages', changed((file) => file.fill(0, 20, 24).fill(0, 4116, 4120)), 'is not a snapshot of etcd'],
  ['a page of another number', changed((file) => file.writeUInt8(99, pageOf(1))), 'is another one'],
  ['a page of another type', changed((file) => file.writeUInt16LE(16, pageOf(2) + 8)), 'is of another type'],
  ['a page beyond the end', changed((file) => file.writeUInt32LE(9999, pageOf(2) + 12)), 'is too long'],
  ['too many elements', changed((file) => file.writeUInt16LE(0xffff, pageOf(2) + 10)), 'too many elements'],
  ['an element outside', changed((file) => file.writeUInt32LE(1e9, pageOf(2) + 20)), 'is outside of it'],
  ['a child that does not exist', changed((file) => file.writeUInt32LE(7777, pageOf(1) + 24)), 'does not exist'],
  ['a tree with a circle', changed((file) => file.writeUInt32LE(pageOf(1) / 4096, pageOf(1) + 24)), 'is used twice'],
])('%s is refused', async (_title, content, message) => {
  const path = await fileWith(content);
  const refused = await openSnapshot(path).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StorageError);
  expect(refused).toMatchObject({ code: 'Corrupt', message: expect.stringContaining(message) });
  expect((refused as Error).message).toContain(path);
});

test('random damage is refused or without effect', async () => {
  const random = new Random(7);
  for (let run = 0; run < 300; run++) {
    const copy = Buffer.from(whole);
    for (let hit = 0; hit < 3; hit++) {
      // Mostly changes the structure, not the large value.
      const at = random.chance(0.5)
        ? random.below(copy.length)
        : random.below(copy.length / 4096) * 4096 + random.below(64);
      copy[at] = random.below(256);
    }
    const path = await fileWith(copy);
    try {
      const storage = await openSnapshot(path);
      await storage.range({ start: '\0', end: '\u{10ffff}' }).finally(() => storage.close());
    } catch (error) {
      expect(error).toMatchObject({ name: 'StorageError', code: 'Corrupt' });
    }
  }
});

test.each([
  ['a snapshot', withHash(whole), true],
  ['a text', Buffer.from('{"key":"/registry/pods/default/a"}\n'), false],
  ['nothing', Buffer.alloc(0), false],
])('%s is recognized', async (_title, content, expected) => {
  expect(await isSnapshotFile(await fileWith(content))).toBe(expected);
});
