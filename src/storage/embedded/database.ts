import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { fileFailure } from '../file-failure.ts';
import { StorageError } from '../storage.ts';
import { CheckpointSteps } from './checkpoint-steps.ts';
import { makeDirectory, syncDirectory } from './durable-directory.ts';
import { HistoryTable } from './history-table.ts';
import { MetaTable } from './meta-table.ts';
import type { OpenRequest } from './protocol.ts';
import { readRedoLog } from './redo-log.ts';
import { installRestoredStore, restoredFile } from './restored-store.ts';

/**
 * Since 2, commits may be in the redo log only. Since 3, rows and the table of numbers have checksums, and there are two
 * indexes by key. Releases that do not maintain these must not open the database.
 */
const schemaVersion = 3;
export const storeFileName = 'storage.sqlite';
const redoLogName = `${storeFileName}-redo`;
// Objects of a few KiB would leave much of a 4 KiB page empty.
const pageBytes = 8192;
// 16 MiB: fewer checkpoint pauses than with SQLite's default, but still little to replay after a crash.
const checkpointPages = 2000;
const cacheKibibytes = 8 * 1024;

/**
 * Every change that has not been compacted. The index on key also holds the revision, because SQLite appends the row
 * id.
 */
const createSchema = `
  CREATE TABLE history (
    rev INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    create_rev INTEGER NOT NULL, -- 0 for a deletion
    prev_rev INTEGER NOT NULL,   -- the revision of the value that this one replaced, 0 for none
    row_checksum INTEGER,        -- CRC-32 of the columns above; NULL in rows of releases that wrote none
    checksum INTEGER,            -- CRC-32 of the value; NULL for a deletion, and in rows of releases that wrote none
    value BLOB                   -- NULL for a deletion; last, so that large values stay out of the way
  );
  CREATE INDEX history_by_key ON history (key);
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`;

/**
 * An index of the deletions, which are few, so that keys can be counted without reading rows that have a value. It is
 * not part of the schema version: SQLite maintains it for an older server too, and a store without it gets it on open.
 */
const createDeletionsIndex = 'CREATE INDEX IF NOT EXISTS history_deletions ON history (key) WHERE value IS NULL';

/**
 * A second index by key. A damaged entry of an index can hide a row, so each key is looked up in both. It also has the
 * create revision, which is 0 for a deletion, so that keys can be counted in both.
 */
const createVersionsIndex = 'CREATE INDEX IF NOT EXISTS history_versions ON history (key, rev, create_rev)';

/**
 * Stores of earlier releases have no checksums. The column is not part of the schema version either: an earlier release
 * writes rows without a checksum, and the reader of such a value must verify it.
 */
const addChecksums = 'ALTER TABLE history ADD COLUMN checksum INTEGER';
const addRowChecksums = 'ALTER TABLE history ADD COLUMN row_checksum INTEGER';

export type DatabaseOptions = Partial<Omit<OpenRequest, 'directory'>>;

export interface OpenDatabase {
  readonly database: Database.Database;
  readonly redoLogPath: string;
  readonly checkpoints: CheckpointSteps;
  /** Whether this many bytes of keys and values certainly fit into the maximum size. */
  hasRoom(bytes: number): boolean;
  close(): void;
}

/**
 * Opens or creates the database in the directory, for exclusive use by this thread. Throws `InUse` immediately when
 * another process, or another store in this process, has it open. Throws `Corrupt` when the file is not a database of a
 * supported version.
 */
export function openDatabase(directory: string, options: DatabaseOptions = {}): OpenDatabase {
  const path = resolve(directory);
  const lock = takeLock(path);
  try {
    if (existsSync(restoredFile(path))) {
      completeFormer(path);
      installRestoredStore(path);
    }
    const database = openComplete(path, options);
    const checkpoints = checkpointsOf(database);
    return {
      database,
      redoLogPath: join(path, redoLogName),
      checkpoints,
      hasRoom: (bytes) => hasRoom(database, bytes, options.sizeLimit),
      close() {
        checkpoints.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

function checkpointsOf(database: Database.Database): CheckpointSteps {
  try {
    return new CheckpointSteps(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a database without files. It exists as long as the thread. */
export function openMemoryDatabase(): Pick<OpenDatabase, 'database' | 'close'> {
  const database = new Database(':memory:');
  setPageLayout(database);
  createStore(database);
  return { database, close: () => void database.close() };
}

/**
 * Completes the database in the directory after a crash. While a server has it open there is nothing to do: its commits
 * reach the database at once.
 */
export function recoverDatabase(directory: string): void {
  const path = resolve(directory);
  if (!existsSync(join(path, redoLogName))) return;
  let lock: Database.Database;
  try {
    lock = takeLock(path);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'InUse') return;
    throw error;
  }
  try {
    openComplete(path, {}).close();
  } finally {
    lock.close();
  }
}

/** A restored store replaces the former one, which is kept with all of its commits if it can be read. */
function completeFormer(path: string): void {
  if (!existsSync(join(path, redoLogName))) return;
  try {
    openComplete(path, {}).close();
  } catch {
    // The former store may be damaged, which may be the reason for the restore.
  }
}

/** Opens the database and adds the commits that are only in the redo log. */
function openComplete(path: string, options: DatabaseOptions): Database.Database {
  const file = join(path, storeFileName);
  let database: Database.Database | undefined;
  try {
    database = openData(file, options);
    prepareSchema(database, file);
    recover(database, join(path, redoLogName));
    syncDirectory(path);
    return database;
  } catch (error) {
    database?.close();
    throw fileFailure(error, file);
  }
}

/**
 * The lock is an open transaction on a separate database. The operating system releases it when the process ends for
 * any reason, and SQLite's tools can still inspect or back up the data while the server runs.
 */
export function takeLock(directory: string): Database.Database {
  const path = resolve(directory);
  const file = join(path, 'storage.lock');
  let lock: Database.Database | undefined;
  try {
    makeDirectory(path);
    lock = new Database(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    if (!(cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY')))
      throw fileFailure(cause, file);
    throw new StorageError('InUse', `the data directory ${path} is in use by another server`, { cause });
  }
}

function openData(file: string, { sizeLimit, overwriteDeleted }: DatabaseOptions): Database.Database {
  // Created with restrictive permissions before SQLite opens it; SQLite gives its other files the same permissions.
  // Only the holder of the lock may do this, because closing a file descriptor releases all locks that the process has
  // on the file.
  closeSync(openSync(file, 'a', 0o600));
  const database = new Database(file);
  try {
    setPageLayout(database);
    database.pragma('journal_mode = WAL');
    // Must be set on every open: a WAL database otherwise reopens with NORMAL, which may lose commits.
    database.pragma('synchronous = FULL');
    if (overwriteDeleted) database.pragma('secure_delete = ON');
    database.pragma(`cache_size = -${cacheKibibytes}`);
    database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    database.pragma(`journal_size_limit = ${checkpointPages * pageBytes}`);
    if (sizeLimit !== undefined) database.pragma(`max_page_count = ${Math.ceil(sizeLimit / pageBytes)}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareSchema(database: Database.Database, file: string): void {
  const format = checkFormat(database, file);
  if (format === 0) database.transaction(() => createStore(database)).immediate();
  else database.transaction(() => upgradeSchema(database, format)).immediate();
}

/** Must be called before the first table is created. */
export function setPageLayout(database: Database.Database): void {
  database.pragma(`page_size = ${pageBytes}`);
  database.pragma('auto_vacuum = INCREMENTAL');
}

/** Creates the tables in an empty database. */
export function createStore(database: Database.Database): void {
  database.exec(`${createSchema}${createDeletionsIndex}; ${createVersionsIndex}`);
  new MetaTable(database).begin({ compacted: 0, swept: 0 });
}

/** The format of the file; 0 for an empty database. Throws `Corrupt` when a later release has written it. */
export function checkFormat(database: Database.Database, file: string): number {
  const format = Number(database.pragma('user_version', { simple: true }));
  if (format <= schemaVersion) return format;
  const problem = `${file} has the format ${format} of a later release, and this one understands ${schemaVersion}`;
  throw new StorageError('Corrupt', `${problem}: use a release that is at least as new as the one that wrote it`);
}

function upgradeSchema(database: Database.Database, format: number): void {
  const columns = database.pragma('table_info(history)') as { readonly name: string }[];
  if (!columns.some(({ name }) => name === 'checksum')) database.exec(addChecksums);
  if (!columns.some(({ name }) => name === 'row_checksum')) database.exec(addRowChecksums);
  database.exec(`${createDeletionsIndex}; ${createVersionsIndex}`);
  if (format === schemaVersion) return;
  database.pragma(`user_version = ${schemaVersion}`);
  const latest = database.prepare<[], number | null>('SELECT max(rev) FROM history').pluck().get() ?? undefined;
  new MetaTable(database).begin(latest === undefined ? {} : { legacy: latest });
}

/** Adds the commits of the redo log that the database does not have, because the process or the machine ended. */
function recover(database: Database.Database, redoLogPath: string): void {
  const history = new HistoryTable(database);
  const meta = new MetaTable(database);
  const latest = Math.max(history.latest(), meta.get('compacted') ?? 0);
  const reached = meta.get('latest') ?? 0;
  if (latest < reached) {
    throw new StorageError('Corrupt', `${database.name} is damaged: its revisions end at ${latest}, not at ${reached}`);
  }
  const missing = readRedoLog(redoLogPath).filter(({ revision }) => revision > latest);
  const first = missing[0]?.revision ?? latest + 1;
  if (first !== latest + 1) {
    const state = `it continues at revision ${first}, but the database ends at ${latest}`;
    const advice = 'Put back the database that it belongs to, or delete it to open the database as it is';
    throw new StorageError('Corrupt', `${redoLogPath} belongs to another database: ${state}. ${advice}`);
  }
  database
    .transaction(() => {
      for (const row of missing) history.insert(row);
    })
    .immediate();
  rmSync(redoLogPath, { force: true });
}

/** Indexes and partly filled pages take room too. */
function hasRoom(database: Database.Database, bytes: number, sizeLimit: number | undefined): boolean {
  if (sizeLimit === undefined) return true;
  return Number(database.pragma('page_count', { simple: true })) * pageBytes + 4 * bytes + 32 * pageBytes < sizeLimit;
}
