import { access, copyFile, mkdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from './database.ts';
import type { NewRow } from './history-table.ts';
import { rowChecksumOf } from './integrity.ts';
import { temporaryDirectory } from './temporary-directory.conformance.ts';

const count = 400;
const valueBytes = 8000;

test('after a power failure, the database has the state of the log, whatever has been copied', async () => {
  const { directory, file, log, update } = await openFilled();
  update(0, 300, 'copied');
  const durable = (await stat(log)).size;
  // Written while the step syncs the log.
  update(300, count, 'not durable');
  await vi.waitUntil(async () => (await readFile(file)).includes(filledWith('copied')));
  const copy = await copyStore(directory);
  await truncate(join(copy, 'storage.sqlite-wal'), durable);
  const { database } = open(copy);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(counts(database)).toEqual({ copied: 300, old: 100 });
});

test('the log is complete, whatever has been copied', async () => {
  const { directory, file, update } = await openFilled();
  const former = await copyStore(directory);
  update(0, 300, 'copied');
  update(300, count, 'latest');
  await vi.waitUntil(async () => (await readFile(file)).includes(filledWith('copied')));
  await copyFile(join(directory, 'storage.sqlite-wal'), join(former, 'storage.sqlite-wal'));
  expect(counts(open(former).database)).toEqual({ copied: 300, latest: 100 });
});

test('a step that is interrupted does not keep the log from being emptied', async () => {
  const { checkpoints, database, log, update } = await openFilled();
  update(0, 300, 'new');
  const busy = (): number => Number(database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }));
  database.pragma('busy_timeout = 0');
  expect(busy()).toBe(1);
  checkpoints.interrupt();
  expect(busy()).toBe(0);
  expect((await stat(log)).size).toBe(0);
});

test('the log is reused while commits continue', async () => {
  const { log, update } = await openFilled();
  let longest = 0;
  for (let from = 0; from < 8000; from += 20) {
    update(from % count, (from % count) + 20, `${from}`);
    await setImmediate();
    longest = Math.max(longest, (await stat(log)).size);
  }
  expect(longest).toBeLessThan(24_000_000);
});

test('a step does not keep the log from being emptied while much is written', async () => {
  const { database, update } = await openFilled();
  database.pragma('busy_timeout = 0');
  update(0, 300, 'begun');
  // In one turn, so that the step still waits for the disk.
  for (let written = 0; written < 3; written += 1) update(0, 200, `${written}`);
  expect(database.pragma('wal_checkpoint(TRUNCATE)', { simple: true })).toBe(0);
});

test('closing during a step leaves a complete database without a log', async () => {
  const { directory, log, update, close } = await openFilled();
  update(0, 300, 'new');
  close();
  await expect(access(log)).rejects.toThrow('ENOENT');
  expect(counts(open(directory).database)).toEqual({ new: 300, old: 100 });
});

interface Filled extends OpenDatabase {
  readonly directory: string;
  readonly file: string;
  readonly log: string;
  /** Changes the values of some rows in one transaction, without a sync. */
  update(from: number, to: number, text: string): void;
}

/** A database with an empty log. Its values fill a page each. */
async function openFilled(): Promise<Filled> {
  const directory = await temporaryDirectory();
  const opened = open(directory);
  const { database, checkpoints } = opened;
  database.pragma('synchronous = NORMAL');
  const insert = database.prepare('INSERT INTO history VALUES (?, ?, 1, 0, ?, NULL, ?)');
  const change = database.prepare('UPDATE history SET value = ? WHERE rev = ?');
  database.transaction(() => {
    for (let rev = 1; rev <= count; rev += 1) {
      const key = `key ${rev}`;
      const checksum = rowChecksumOf({ revision: rev, key, createRevision: 1, previousRevision: 0 });
      insert.run(rev, key, checksum, filledWith('old'));
    }
  })();
  database.pragma('wal_checkpoint(TRUNCATE)');
  return {
    ...opened,
    directory,
    file: join(directory, 'storage.sqlite'),
    log: join(directory, 'storage.sqlite-wal'),
    update(from, to, text) {
      const value = filledWith(text);
      const rows: NewRow[] = [];
      database.transaction(() => {
        for (let rev = from + 1; rev <= to; rev += 1) {
          change.run(value, rev);
          rows.push({ revision: rev, createRevision: 1, previousRevision: 0, key: `key ${rev}`, value });
        }
      })();
      checkpoints.committed(rows);
    },
  };
}

function open(directory: string): OpenDatabase {
  const opened = openDatabase(directory);
  const close = (): void => {
    if (opened.database.open) opened.close();
  };
  onTestFinished(close);
  return { ...opened, close };
}

function filledWith(text: string): Buffer {
  return Buffer.alloc(valueBytes, `${text}.`);
}

/** The number of rows with each text. */
function counts(database: OpenDatabase['database']): Record<string, number> {
  const texts = database.prepare<[], Buffer>('SELECT value FROM history').pluck().all();
  const result: Record<string, number> = {};
  for (const value of texts) {
    const text = value.toString('latin1').split('.')[0]!;
    result[text] = (result[text] ?? 0) + 1;
  }
  return result;
}

async function copyStore(directory: string): Promise<string> {
  const copy = join(await temporaryDirectory(), 'copy');
  await mkdir(copy);
  for (const name of ['storage.sqlite', 'storage.sqlite-wal']) await copyFile(join(directory, name), join(copy, name));
  return copy;
}
