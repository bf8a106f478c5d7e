import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { checkFormat } from '../embedded/database.ts';
import { entryOf } from '../embedded/entry-of.ts';
import { toVersion, type VersionRow } from '../embedded/history-table.ts';
import { readRedoLog } from '../embedded/redo-log.ts';
import { StorageError, type StoredEntry } from '../storage.ts';

const maxWaitMs = 10_000;
const waitIntervalMs = 5;

/**
 * The content of a store or a backup at one moment. A store can be read while a server uses it; neither blocks the
 * other. While a reader is open, the log of the store grows with each write.
 */
export class StoreReader {
  readonly database: Database.Database;
  /** The latest revision at that moment. */
  readonly revision: number;
  /** History up to this revision has been removed. */
  readonly compacted: number;
  readonly #checksum: string;

  /**
   * Throws `Unavailable` when the file does not exist or cannot be opened, and `Corrupt` when it is not a store in a
   * supported format.
   */
  constructor(file: string) {
    this.database = openForReading(file);
    try {
      if (checkFormat(this.database, file) === 0) throw new StorageError('Corrupt', `${file} is not a store`);
      this.#waitForCommits(`${file}-redo`);
      // The first read determines the state that the transaction sees.
      this.database.exec('BEGIN');
      this.compacted = this.meta('compacted') ?? 0;
      this.revision = Math.max(this.#latest(), this.compacted, this.meta('filling') ?? 0);
      const columns = this.database.pragma('table_info(history)') as { readonly name: string }[];
      // Stores of earlier releases have no checksums.
      this.#checksum = columns.some(({ name }) => name === 'checksum') ? 'checksum' : 'NULL';
    } catch (error) {
      this.database.close();
      throw readFailure(error, file);
    }
  }

  meta(name: string): number | undefined {
    return this.database.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck().get(name);
  }

  /** The number of keys that have a value. */
  count(): number {
    return (
      this.database
        .prepare<[], number>(`SELECT count(*) FROM (${newest('rev')})`)
        .pluck()
        .get() ?? 0
    );
  }

  /** The newest entry of every key that is not deleted, in the order of their revisions. */
  *entries(): Generator<StoredEntry> {
    yield* this.#read(newest(`key, rev, create_rev, value, ${this.#checksum}`));
  }

  /** Yields every value that still exists, including replaced ones, in the order of their revisions. */
  *versions(): Generator<StoredEntry> {
    const all = `SELECT key, rev, create_rev, value, ${this.#checksum} FROM history ORDER BY rev`;
    yield* this.#read(all);
  }

  close(): void {
    this.database.close();
  }

  /** Waits until commits that have been acknowledged are in the database. They are in the redo log first. */
  #waitForCommits(redoLog: string): void {
    const logged = readRedoLog(redoLog).at(-1)?.revision ?? 0;
    const deadline = performance.now() + maxWaitMs;
    while (Math.max(this.#latest(), this.meta('compacted') ?? 0) < logged) {
      if (performance.now() > deadline) {
        throw new StorageError('Unavailable', `${redoLog} has commits that do not reach the database`);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitIntervalMs);
    }
  }

  #latest(): number {
    return this.database.prepare<[], number | null>('SELECT max(rev) FROM history').pluck().get() ?? 0;
  }

  *#read(select: string): Generator<StoredEntry> {
    const rows = this.database.prepare<[], [key: unknown, ...VersionRow]>(select).raw();
    for (const [key, ...row] of rows.iterate()) {
      const version = toVersion(row);
      if (version !== undefined) yield entryOf(String(key), version);
    }
  }
}

/** Rows without a value and without a create revision are deletions. */
const newest = (columns: string): string =>
  `SELECT ${columns} FROM history h WHERE NOT (value IS NULL AND create_rev = 0)
   AND NOT EXISTS (SELECT 1 FROM history n WHERE n.key = h.key AND n.rev > h.rev) ORDER BY rev`;

function openForReading(file: string): Database.Database {
  // SQLite would only report that it cannot open the file.
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new StorageError('Unavailable', `${file} does not exist`);
  if (found.size === 0) throw new StorageError('Corrupt', `${file} is empty`);
  try {
    rollBack(file);
    return new Database(file, { readonly: true, timeout: 5000 });
  } catch (error) {
    throw readFailure(error, file);
  }
}

/**
 * Rolls back a change that a killed server had started while it opened the store, before it used the write-ahead log. A
 * read-only connection cannot roll back, and cannot read the file before that. SQLite's locks ensure that no server is
 * still writing.
 */
function rollBack(file: string): void {
  if (!existsSync(`${file}-journal`)) return;
  const database = new Database(file, { timeout: 5000 });
  try {
    database.pragma('schema_version');
  } finally {
    database.close();
  }
}

/** Converts an error of SQLite to a `StorageError` that names the file. */
export function readFailure(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const isCorrupt = /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(error.code);
  return new StorageError(isCorrupt ? 'Corrupt' : 'Unavailable', `${file}: ${error.message}`, { cause: error });
}
