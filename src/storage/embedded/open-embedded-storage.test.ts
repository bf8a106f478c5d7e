import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { put } from '../conformance/fixture.conformance.ts';
import { openDatabase } from './database.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';
import { openTemporaryStorage, temporaryDirectory } from './temporary-directory.conformance.ts';

test('a second open in the same process fails at once and has no side effects', async () => {
  const directory = await temporaryDirectory();
  const storage = await openTemporaryStorage({ directory });
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(openEmbeddedStorage({ directory })).rejects.toMatchObject({
      name: 'StorageError',
      code: 'InUse',
      message: expect.stringContaining(directory),
    });
  }
  await put(storage, '/a', { text: '1' });
  await storage.close();
  const again = await openTemporaryStorage({ directory });
  expect(await again.get('/a')).toMatchObject({ modRevision: 1 });
});

test('a file that is not a database is refused as corrupt and not modified', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'storage.sqlite');
  await writeFile(file, 'a letter to grandmother, by no means a database '.repeat(100));
  const { size } = await stat(file);
  await expect(openEmbeddedStorage({ directory })).rejects.toMatchObject({ code: 'Corrupt' });
  expect((await stat(file)).size).toBe(size);
});

test('a database of a newer format is refused', async () => {
  const directory = await temporaryDirectory();
  await (await openEmbeddedStorage({ directory })).close();
  const database = new Database(join(directory, 'storage.sqlite'));
  database.pragma('user_version = 99');
  database.close();
  await expect(openEmbeddedStorage({ directory })).rejects.toMatchObject({
    code: 'Corrupt',
    message: expect.stringContaining('99'),
  });
});

test('a directory that cannot be created is reported', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'file'), '');
  await expect(openEmbeddedStorage({ directory: join(directory, 'file', 'data') })).rejects.toMatchObject({
    code: 'Unavailable',
    message: expect.stringContaining('file'),
  });
});

test('missing directories are created, accessible to the owner only', async () => {
  const directory = join(await temporaryDirectory(), 'a', 'b');
  await openTemporaryStorage({ directory });
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect((await stat(join(directory, 'storage.sqlite'))).mode & 0o777).toBe(0o600);
});

test('commits are synchronous on every open', async () => {
  const directory = await temporaryDirectory();
  for (let opening = 0; opening < 2; opening++) {
    const { database, close } = openDatabase(directory);
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('auto_vacuum', { simple: true })).toBe(2);
    close();
  }
});
