import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { put } from '../conformance/fixture.conformance.ts';
import { openEmbeddedStorage } from '../embedded/open-embedded-storage.ts';
import { replacedStoreFile, restoredFile } from '../embedded/restored-store.ts';
import {
  makeTemporaryDirectory,
  openTemporaryStorage,
  removeDirectory,
  temporaryDirectory,
} from '../embedded/temporary-directory.conformance.ts';
import type { Storage } from '../storage.ts';
import { BackupReader, restoreBackup, writeBackup } from './index.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = join(await temporaryDirectory(), 'store');
  file = join(await temporaryDirectory(), 'backup');
});

const files = new Map([['pki/ca.key', Buffer.from('secret')]]);
const backUp = (to = file) =>
  writeBackup({ store: join(directory, 'storage.sqlite'), to, files, release: '1.2.3', skipUnreadable: false });
const restore = (to: string, { replace = false, from = file } = {}) => {
  const backup = new BackupReader(from);
  try {
    return restoreBackup({ backup, file: from, directory: to, replace, onComplete: () => {} });
  } finally {
    backup.close();
  }
};
const all = { start: '/', end: '0' };

let closed: string;
beforeAll(async () => {
  closed = await makeTemporaryDirectory();
  const storage = await openEmbeddedStorage({ directory: closed });
  await fill(storage);
  await storage.close();
});
afterAll(() => removeDirectory(closed));

/** Copies the store, so that no server uses it. */
function copyFilled(): void {
  cpSync(closed, directory, { recursive: true });
}

async function filled(): Promise<Storage> {
  const storage = await openTemporaryStorage({ directory });
  await fill(storage);
  return storage;
}

async function fill(storage: Storage): Promise<void> {
  for (const name of ['a', 'b', 'c']) await put(storage, `/registry/${name}`, { text: name });
  await put(storage, '/registry/b', { text: 'second', expected: 2 });
  await storage.commit({ key: '/registry/c', value: undefined, expected: 3 });
}

describe('a backup', () => {
  it('has the newest value of each key, with its revisions, and the other files', async () => {
    const storage = await filled();
    expect(backUp()).toMatchObject({ revision: 5, objects: 2, release: '1.2.3', unreadable: [] });
    const backup = new BackupReader(file);
    expect([...backup.entries()]).toEqual((await storage.range(all)).entries);
    expect(backup.files()).toEqual(files);
    expect(backup.verify()).toMatchObject({ revision: 5, objects: 2 });
    backup.close();
  });

  it('is one moment of a store that is being written', async () => {
    const storage = await openTemporaryStorage({ directory });
    const writes = Array.from({ length: 400 }, (_, index) =>
      put(storage, `/registry/${index}`, { text: 'x'.repeat(index) }),
    );
    await writes[0];
    const { revision } = backUp();
    await Promise.all(writes);
    const backup = new BackupReader(file);
    const expected = (await storage.range({ ...all, revision })).entries;
    expect([...backup.entries()]).toEqual(expected.toSorted((a, b) => a.modRevision - b.modRevision));
    backup.close();
  });

  it('replaces a former one, and leaves nothing else behind', async () => {
    const storage = await filled();
    backUp();
    await put(storage, '/registry/d', { text: 'd' });
    // Files of this process, and of one that cannot exist.
    for (const pid of [process.pid, 2 ** 22 + 1]) writeFileSync(`${file}.${pid}.partial`, 'rest');
    expect(backUp()).toMatchObject({ revision: 6, objects: 3 });
    expect(readdirSync(join(file, '..'))).toEqual(['backup']);
  });

  it('is made of a store whose server was killed while it took a restored one', async () => {
    copyFilled();
    backUp();
    const restored = await temporaryDirectory();
    restore(restored);
    const store = join(restored, 'storage.sqlite');
    const server = new Database(store);
    // A restored store is in this mode until it is opened for the first time.
    server.pragma('journal_mode = DELETE');
    server.pragma('cache_size = 1');
    server.exec('BEGIN; UPDATE history SET value = zeroblob(100000)');
    directory = await temporaryDirectory();
    for (const end of ['', '-journal']) copyFileSync(store + end, join(directory, `storage.sqlite${end}`));
    server.close();
    const again = join(directory, 'backup');
    expect(backUp(again)).toMatchObject({ objects: 2, unreadable: [] });
  });

  it('is not made of a damaged value, unless that may be left out', async () => {
    copyFilled();
    const database = new Database(join(directory, 'storage.sqlite'));
    database.exec("UPDATE history SET value = CAST('x' AS BLOB) WHERE rev = 1");
    database.close();
    expect(() => backUp()).toThrow('1 objects are damaged');
    expect(existsSync(file)).toBe(false);
    const store = join(directory, 'storage.sqlite');
    const report = writeBackup({ store, to: file, files, release: '', skipUnreadable: true });
    expect(report).toMatchObject({ objects: 1, unreadable: ['/registry/a: the checksum does not match the value'] });
  });

  it('is found to be damaged, whichever byte has changed', async () => {
    copyFilled();
    backUp();
    const whole = readFileSync(file);
    const expected = describeBackup(file);
    const step = 1021;
    for (let at = 100; at < whole.length; at += step) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0xff;
      writeFileSync(file, changed);
      const found = describeBackup(file);
      // Unused bytes of a page may have any value.
      if (found !== undefined) expect(found).toEqual(expected);
    }
    for (const length of [0, 99, 8192, whole.length - 8192]) {
      writeFileSync(file, whole.subarray(0, length));
      expect(() => new BackupReader(file).verify(), String(length)).toThrow(file);
    }
  });
});

/** Undefined for a damaged backup. Damage that is not detected must not matter. */
function describeBackup(path: string): object | undefined {
  try {
    const backup = new BackupReader(path);
    try {
      return { ...backup.verify(), files: backup.files(), entries: [...backup.entries()] };
    } finally {
      backup.close();
    }
  } catch (error) {
    expect(error).toMatchObject({ name: 'StorageError', code: 'Corrupt' });
    return undefined;
  }
}

describe('a restore', () => {
  it('keeps the revisions of entries and begins far behind them', async () => {
    const storage = await filled();
    backUp();
    const before = (await storage.range(all)).entries;
    const other = join(await temporaryDirectory(), 'store');
    const { revision, atNextStart, kept } = restore(other);
    expect({ atNextStart, kept }).toEqual({ atNextStart: false, kept: undefined });
    expect(revision).toBeGreaterThan(1e9);
    const restored = await openTemporaryStorage({ directory: other });
    expect(restored.latestRevision()).toBe(revision);
    expect((await restored.range(all)).entries).toEqual(before);
    const watch = { prefix: '/', onEvents: () => {}, onError: () => {}, signal: new AbortController().signal };
    await expect(restored.watch({ ...watch, after: 5 })).rejects.toMatchObject({ code: 'RevisionCompacted' });
    expect(await put(restored, '/registry/z', { text: 'z' })).toBe(revision + 1);
  });

  it('leaves nothing of the other files in the store', async () => {
    copyFilled();
    backUp();
    expect(readFileSync(file).includes('secret')).toBe(true);
    const other = join(await temporaryDirectory(), 'store');
    restore(other);
    expect(readFileSync(join(other, 'storage.sqlite')).includes('secret')).toBe(false);
  });

  it('begins elsewhere each time', async () => {
    copyFilled();
    backUp();
    const begins = new Set<number>();
    for (let copy = 0; copy < 3; copy++) begins.add(restore(join(await temporaryDirectory(), 'store')).revision);
    expect(begins.size).toBe(3);
  });

  it('replaces objects only on request, and keeps them', async () => {
    const storage = await filled();
    backUp();
    await put(storage, '/registry/later', { text: 'l' });
    await storage.close();
    expect(() => restore(directory)).toThrow('not empty');
    const { kept, atNextStart } = restore(directory, { replace: true });
    expect(atNextStart).toBe(false);
    const restored = await openTemporaryStorage({ directory });
    expect((await restored.range(all)).entries.map(({ key }) => key)).toEqual(['/registry/a', '/registry/b']);
    await restored.close();
    // The former store can be restored.
    renameSync(kept!, join(directory, 'storage.sqlite'));
    const former = await openTemporaryStorage({ directory });
    expect(await former.get('/registry/later')).toBeDefined();
  });

  it('waits for the next start while the store is in use', async () => {
    const storage = await filled();
    backUp();
    await put(storage, '/registry/later', { text: 'l' });
    const { atNextStart, revision } = restore(directory, { replace: true });
    expect(atNextStart).toBe(true);
    await put(storage, '/registry/latest', { text: 'l' });
    expect(await storage.get('/registry/later')).toBeDefined();
    await storage.close();
    const restored = await openTemporaryStorage({ directory });
    expect(restored.latestRevision()).toBe(revision);
    expect(await restored.get('/registry/later')).toBeUndefined();
    expect((await restored.range(all)).entries).toHaveLength(2);
  });

  it('replaces a store that cannot be read', async () => {
    copyFilled();
    backUp();
    writeFileSync(join(directory, 'storage.sqlite'), 'nothing of the kind');
    expect(() => restore(directory)).toThrow('not empty');
    const { kept } = restore(directory, { replace: true });
    expect(readFileSync(kept!, 'utf8')).toBe('nothing of the kind');
    expect(await (await openTemporaryStorage({ directory })).get('/registry/a')).toBeDefined();
  });

  it.each<[string, () => string]>([
    ['a store', () => join(directory, 'storage.sqlite')],
    ['any file', () => import.meta.filename],
    ['a missing file', () => join(directory, 'missing')],
  ])('refuses %s', (_what, name) => {
    copyFilled();
    expect(() => restore(join(directory, 'other'), { from: name() })).toThrow(name());
    expect(existsSync(join(directory, 'other'))).toBe(false);
  });
});

describe('a crash while a restored store is put in place', () => {
  let parent: string;
  let revision: number;
  beforeAll(async () => {
    parent = await makeTemporaryDirectory();
    directory = join(parent, 'store');
    file = join(parent, 'backup');
    const storage = await openEmbeddedStorage({ directory });
    await fill(storage);
    backUp();
    ({ revision } = restore(directory, { replace: true }));
    // Copied with its logs, as after a kill.
    cpSync(directory, join(parent, 'killed'), { recursive: true });
    await storage.close();
  });
  afterAll(() => removeDirectory(parent));

  it.each([1, 2, 3, 4])('does not matter after step %i', async (steps) => {
    cpSync(join(parent, 'killed'), directory, { recursive: true });
    const store = join(directory, 'storage.sqlite');
    const kept = replacedStoreFile(directory, statSync(restoredFile(directory)).mtime);
    const takeSteps = [
      () => renameSync(`${store}-redo`, `${kept}-redo`),
      () => renameSync(`${store}-wal`, `${kept}-wal`),
      () => linkSync(store, kept),
      () => renameSync(restoredFile(directory), store),
    ];
    for (const step of takeSteps.slice(0, steps)) step();
    const restored = await openTemporaryStorage({ directory });
    expect(restored.latestRevision()).toBe(revision);
    expect((await restored.range(all)).entries).toHaveLength(2);
    expect(existsSync(restoredFile(directory))).toBe(false);
    // The former store is complete.
    const former = new Database(kept);
    expect(former.prepare('SELECT max(rev) FROM history').pluck().get()).toBe(5);
    former.close();
  });
});
