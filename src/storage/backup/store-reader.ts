import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { checkFormat } from '../embedded/database.ts';
import { entryOf } from '../embedded/entry-of.ts';
import {
  damagedVersion,
  type HistoryRow,
  HistoryTable,
  type KeyRow,
  rowColumns,
  versionOf,
  type WholeRow,
} from '../embedded/history-table.ts';
import { integrity } from '../embedded/integrity.ts';
import { type MetaName, MetaTable } from '../embedded/meta-table.ts';
import type { Version } from '../embedded/packed-versions.ts';
import { readRedoLog } from '../embedded/redo-log.ts';
import { fileFailure } from '../file-failure.ts';
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
  readonly #file: string;
  readonly #meta: MetaTable;
  /** Reads the rows, with all checks. Undefined for a store of an earlier release. */
  readonly #history: HistoryTable | undefined;
  readonly #oldColumns: string;

  /**
   * Throws `Unavailable` when the file does not exist or cannot be opened, and `Corrupt` when it is not a store in a
   * supported format.
   */
  constructor(file: string) {
    this.#file = file;
    this.database = openForReading(file);
    try {
      const format = checkFormat(this.database, file);
      if (format === 0) throw new StorageError('Corrupt', `${file} is not a store`);
      this.#meta = new MetaTable(this.database);
      this.#waitForCommits(`${file}-redo`);
      // The first read determines the state that the transaction sees.
      this.database.exec('BEGIN');
      this.compacted = this.meta('compacted') ?? 0;
      this.revision = Math.max(this.#latest(), this.compacted, this.meta('filling') ?? 0);
      const columns = this.database.pragma('table_info(history)') as { readonly name: string }[];
      // Stores of earlier releases have no checksums.
      const checksum = columns.some(({ name }) => name === 'checksum') ? 'checksum' : 'NULL';
      this.#oldColumns = `rev, key, create_rev, prev_rev, NULL, ${checksum}, value`;
      this.#history = columns.some(({ name }) => name === 'row_checksum') ? new HistoryTable(this.database) : undefined;
    } catch (error) {
      this.database.close();
      throw fileFailure(error, file);
    }
  }

  /** A number of the store, which may be damaged: see `metaProblem`. */
  meta(name: MetaName): number | undefined {
    return this.#meta.unchecked(name);
  }

  /** What is damaged in the numbers of the store. */
  metaProblem(): string | undefined {
    return this.#meta.problem();
  }

  /** The number of keys that have a value. */
  count(): number {
    const count = `SELECT count(*) FROM (${newest('rev')})`;
    return this.#orFailure(() => this.database.prepare<[], number>(count).pluck().get() ?? 0);
  }

  /**
   * The newest entry of every key that is not deleted, in the order of their revisions. Throws `Corrupt` when the
   * numbers of the store are damaged. Damaged rows are corrupt entries.
   */
  *entries(): Generator<StoredEntry> {
    const history = this.#history;
    if (history === undefined) {
      yield* this.#read(newest(this.#oldColumns));
      return;
    }
    this.#orFailure(() => this.#meta.get('compacted'));
    for (const row of this.#orFailure(() => newestRows(history))) {
      const version = this.#orFailure(() => history.read(row));
      if (version !== undefined) yield entryOf(row.key, version);
    }
  }

  /** Yields every value that still exists, including replaced ones, in the order of their revisions. */
  *versions(): Generator<StoredEntry> {
    const columns = this.#history === undefined ? this.#oldColumns : rowColumns;
    yield* this.#read(`SELECT ${columns} FROM history ORDER BY rev`);
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
    const rows = this.database.prepare<[], HistoryRow>(select).raw().iterate();
    try {
      for (;;) {
        const next = this.#orFailure(() => rows.next());
        if (next.done) return;
        const version = this.#versionOf(next.value);
        if (version !== undefined) yield entryOf(String(next.value[1]), version);
      }
    } finally {
      rows.return?.();
    }
  }

  #versionOf(row: HistoryRow): Version | undefined {
    if (this.#history?.isWhole(row) === false) return damagedVersion(Number(row[0]), integrity.rowChanged);
    return versionOf(row as WholeRow);
  }

  /** Other files may be written while this one is read, so failures to read it name it here. */
  #orFailure<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw fileFailure(error, this.#file);
    }
  }
}

/** The newest row of every key, in the order of the revisions. */
function newestRows(history: HistoryTable): KeyRow[] {
  const range = { start: '', end: lastKey, revision: Number.MAX_SAFE_INTEGER, limit: -1 };
  const revisionOf = ({ byKey, byVersion }: KeyRow): number => Math.max(byKey ?? 0, byVersion ?? 0);
  return history.keys(range).rows.sort((a, b) => revisionOf(a) - revisionOf(b));
}

/** No key begins with this character. */
const lastKey = '\u{10ffff}';

/** Rows without a value and without a create revision are deletions. */
const newest = (columns: string): string =>
  `SELECT ${columns} FROM history h WHERE NOT (value IS NULL AND create_rev = 0)
   AND NOT EXISTS (SELECT 1 FROM history n WHERE n.key = h.key AND n.rev > h.rev) ORDER BY rev`;

function openForReading(file: string): Database.Database {
  // SQLite would only report that it cannot open the file.
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new StorageError('Unavailable', `${file} does not exist. Check the path`);
  if (found.isDirectory()) throw new StorageError('Unavailable', `${file} is a directory, and a file is needed`);
  if (found.size === 0)
    throw new StorageError('Corrupt', `${file} is empty: restore a backup, or remove it if it never had objects`);
  try {
    rollBack(file);
    return new Database(file, { readonly: true, timeout: 5000 });
  } catch (error) {
    throw fileFailure(error, file);
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
