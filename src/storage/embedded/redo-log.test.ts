import { appendFile, copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Change } from '../storage.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import type { NewRow } from './history-table.ts';
import { RedoLog, readRedoLog } from './redo-log.ts';
import { Store } from './store.ts';
import { temporaryDirectory } from './temporary-directory.conformance.ts';

const logName = 'storage.sqlite-redo';

describe('records', () => {
  test('are read as they were written, in order', async () => {
    const { log, path } = await openLog();
    const first = [row(1, 'ä/€', 'x'), { ...row(2, 'b', ''), createRevision: 1, previousRevision: 1 }];
    const second = [{ ...row(3, 'b'), createRevision: 0, previousRevision: 2 }];
    expect(log.append(first)).toEqual(first);
    expect(log.append(second)).toEqual(second);
    expect(readRedoLog(path)).toEqual([...first, ...second]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test.each(['', '\0\0\0\0'])('none are in a log without a header: %j', async (content) => {
    const { path } = await openLog();
    expect(readRedoLog(path)).toEqual([]);
    await writeFile(path, content);
    expect(readRedoLog(path)).toEqual([]);
  });

  test('are refused if they have another format', async () => {
    const { path } = await openLog();
    await writeFile(path, 'keelson redo log 2\n'.padEnd(8192, '\0'));
    expect(() => readRedoLog(path)).toThrow(`${path} has a format that this version does not understand`);
  });

  test('end where one is damaged or incomplete', async () => {
    const { log, path } = await openLog();
    const rows = [1, 2, 3].map((revision) => row(revision, `key ${revision}`, 'value'));
    for (const each of rows) log.append([each]);
    const whole = await readFile(path);
    const start = whole.indexOf('key 3') - 48;
    const end = whole.indexOf('value', start) + 'value'.length;
    for (let offset = start; offset < end; offset += 1) {
      const damaged = Buffer.from(whole);
      damaged[offset]! ^= 0x10;
      await writeFile(path, damaged);
      expect(readRedoLog(path), `byte ${offset - start} changed`).toEqual(rows.slice(0, 2));
      await truncate(path, offset);
      expect(readRedoLog(path), `cut after ${offset - start} bytes`).toEqual(rows.slice(0, 2));
    }
  });

  test('are not read behind those of a newer pass', async () => {
    let synced = 0;
    const { log, path } = await openLog({ maxBytes: 8192, syncDatabase: () => (synced += 1) });
    const rows = Array.from({ length: 40 }, (_, index) => row(index + 1, `key ${index}`, 'x'.repeat(400)));
    const read = rows.map((each) => {
      log.append([each]);
      return { synced, rows: readRedoLog(path) };
    });
    expect(synced).toBeGreaterThan(2);
    read.forEach((state, index) => {
      const firstOfPass = read.findIndex((other) => other.synced === state.synced);
      expect(state.rows).toEqual(rows.slice(firstOfPass, index + 1));
    });
    expect((await stat(path)).size).toBeLessThanOrEqual(256 * 1024);
  });

  test.each<[string, Partial<ConstructorParameters<typeof RedoLog>[0]>]>([
    ['of a large batch', { maxBytes: 8192 }],
    ['that the database may refuse', { databaseHasRoom: () => false }],
    ['that cannot be written', { path: '/dev/full' }],
    ['whose file cannot be made', { path: '/proc/none' }],
  ])('%s are left to the database', async (_, options) => {
    const { log } = await openLog(options);
    expect(log.append([row(1, 'a', 'x'.repeat(4000))])).toBeUndefined();
  });

  test('are kept once the database could not be synced', async () => {
    let failures = 1;
    const syncDatabase = (): void => {
      if (failures-- > 0) throw new Error('EIO');
    };
    const { log, path } = await openLog({ maxBytes: 8192, syncDatabase });
    const rows = Array.from({ length: 40 }, (_, index) => row(index + 1, `key ${index}`, 'x'.repeat(400)));
    const logged = rows.filter((each) => log.append([each]) !== undefined);
    expect(logged.length).toBeGreaterThan(2);
    expect(failures).toBe(0);
    expect(readRedoLog(path)).toEqual(rows.slice(0, logged.length));
  });

  test('are gone after erasing', async () => {
    const { log, path } = await openLog();
    log.append([row(1, 'a', 'secret')]);
    log.erase();
    expect(readRedoLog(path)).toEqual([]);
    expect(await readFile(path, 'latin1')).not.toContain('secret');
    log.append([row(2, 'b', 'x')]);
    expect(readRedoLog(path)).toEqual([row(2, 'b', 'x')]);
  });
});

describe('recovery', () => {
  test('adds commits that did not reach the database', async () => {
    const { store, crash, directory } = await openStore();
    store.commit([change('/a', 0, '1'), change('/b', 0, '1')]);
    store.apply();
    store.commit([change('/a', 1, '2'), change('/b', 2), change('/c', 0, '1'), change('/c', 5, '2')]);
    crash();
    const after = await openStore(directory);
    expect(after.rows()).toEqual([
      ['/a', 1, 0, '1'],
      ['/b', 2, 0, '1'],
      ['/a', 1, 1, '2'],
      ['/b', 0, 2, null],
      ['/c', 5, 0, '1'],
      ['/c', 5, 5, '2'],
    ]);
    expect(await readdir(directory)).not.toContain(logName);
    expect(after.store.commit([change('/d', 0, '1')])).toMatchObject({ revision: 7 });
  });

  test('is not needed after a regular end', async () => {
    const { store, close, directory } = await openStore();
    store.commit([change('/a', 0, '1')]);
    store.apply();
    expect(await readdir(directory)).toContain(logName);
    close();
    expect((await readdir(directory)).sort()).toEqual(['storage.lock', 'storage.sqlite']);
  });

  test('refuses a log that does not continue the database', async () => {
    const { store, crash, directory } = await openStore();
    for (const key of ['/a', '/b']) store.commit([change(key, 0, '1')]);
    crash();
    const other = await temporaryDirectory();
    await copyFile(join(directory, logName), join(other, logName));
    expect(await openStore(other)).toMatchObject({ store: { revision: 2 } });

    const later = await openStore();
    for (const key of ['/a', '/b']) {
      later.store.commit([change(key, 0, '1')]);
      later.store.apply();
    }
    later.close();
    const again = await openStore(later.directory);
    again.store.commit([change('/c', 0, '1')]);
    again.crash();
    const third = await temporaryDirectory();
    await copyFile(join(later.directory, logName), join(third, logName));
    expect(() => openDatabase(third)).toThrow(
      'belongs to another database: it continues at revision 3, but the database ends at 0. Put back',
    );
  });

  test('after a power failure finds every commit, whatever the database has lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ keys: fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }), size: fc.nat(3000) }), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.uint8Array({ maxLength: 60 }),
        async (batches, torn) => {
          const state = await openStore(undefined, 64 * 1024);
          const latest = new Map<string, number>();
          const expected: string[] = [];
          for (const { keys, size } of batches) {
            const changes = keys.map((key) => change(`/${key}`, latest.get(`/${key}`) ?? 0, 'x'.repeat(size)));
            const { revisions } = state.store.commit(changes);
            state.store.apply();
            changes.forEach(({ key }, index) => {
              const revision = revisions[index] ?? 0;
              if (revision === 0) return;
              latest.set(key, revision);
              expected.push(key);
            });
          }
          const log = await readFile(join(state.directory, logName));
          const directory = await state.durable();
          await writeFile(join(directory, logName), log);
          // An incomplete record.
          await appendFile(join(directory, logName), torn);
          state.crash();
          const after = await openStore(directory);
          expect(after.rows().map(([key]) => key)).toEqual(expected);
          after.close();
        },
      ),
      { numRuns: 30 },
    );
  });
});

test('what the database refuses to take stays in the log until it does', async () => {
  const { store, database, directory, rows } = await openStore();
  store.commit([change('/a', 0, '1')]);
  store.apply();
  const other = new Database(join(directory, 'storage.sqlite'));
  onTestFinished(() => {
    other.close();
  });
  database.pragma('busy_timeout = 0');
  other.exec('BEGIN IMMEDIATE');
  store.commit([change('/b', 0, '1')]);
  expect(() => store.apply()).toThrow('database is locked');
  expect(() => store.apply()).toThrow('database is locked');
  expect(store.applied).toBe(false);
  other.exec('COMMIT');
  store.apply();
  expect(store.applied).toBe(true);
  expect(rows().map(([key]) => key)).toEqual(['/a', '/b']);
});

test('a database of the first format is taken over', async () => {
  const directory = await temporaryDirectory();
  const first = openDatabase(directory);
  first.database.pragma('user_version = 1');
  first.close();
  const { database, close } = openDatabase(directory);
  expect(database.pragma('user_version', { simple: true })).toBe(3);
  close();
});

function row(revision: number, key: string, value?: string): NewRow {
  const bytes = value === undefined ? undefined : Buffer.from(value);
  return { revision, key, createRevision: revision, previousRevision: 0, value: bytes };
}

function change(key: string, expected: number, value?: string): Change {
  return { key, expected, value: value === undefined ? undefined : Buffer.from(value) };
}

async function openLog(
  options: Partial<ConstructorParameters<typeof RedoLog>[0]> = {},
): Promise<{ log: RedoLog; path: string }> {
  const path = options.path ?? join(await temporaryDirectory(), logName);
  const log = new RedoLog({ databaseHasRoom: () => true, syncDatabase: () => {}, ...options, path });
  onTestFinished(() => log.close({ keep: true }));
  return { log, path };
}

interface TestedStore {
  readonly store: Store;
  readonly database: Database.Database;
  readonly directory: string;
  rows(): [key: string, createRevision: number, previousRevision: number, value: string | null][];
  /** Returns another directory with the durable state of the database. */
  durable(): Promise<string>;
  crash(): void;
  close(): void;
}

async function openStore(where?: string, maxBytes?: number): Promise<TestedStore> {
  const directory = where ?? (await temporaryDirectory());
  const open: OpenDatabase = openDatabase(directory);
  const durable: Buffer[] = [];
  const remember = (): void => {
    open.checkpoints.syncLog();
    durable[0] = open.database.serialize();
  };
  if (maxBytes !== undefined) durable[0] = open.database.serialize();
  const options = { path: open.redoLogPath, databaseHasRoom: () => true, syncDatabase: remember };
  const log = new RedoLog(maxBytes === undefined ? options : { ...options, maxBytes });
  const store = new Store(open.database, { compacted: 0, log });
  const end = (keep: boolean) => (): void => {
    if (open.database.open) open.close();
    log.close({ keep });
  };
  onTestFinished(end(true));
  return {
    store,
    directory,
    database: open.database,
    rows: () =>
      open.database
        .prepare<[], [string, number, number, Buffer | null]>(
          'SELECT key, create_rev, prev_rev, value FROM history ORDER BY rev',
        )
        .raw()
        .all()
        .map(([key, created, previous, value]) => [key, created, previous, value === null ? null : value.toString()]),
    async durable() {
      const copy = join(await temporaryDirectory(), 'copy');
      await mkdir(copy);
      await writeFile(join(copy, 'storage.sqlite'), durable[0]!, { mode: 0o600 });
      return copy;
    },
    crash: end(true),
    close: end(false),
  };
}
