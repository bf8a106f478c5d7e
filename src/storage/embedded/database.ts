import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError } from '../storage.ts';
import type { OpenRequest } from './protocol.ts';

const schemaVersion = 1;
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
    checksum INTEGER,            -- CRC-32 of the value; NULL for a deletion, and in rows of releases that wrote none
    value BLOB                   -- NULL for a deletion; last, so that large values stay out of the way
  );
  CREATE INDEX history_by_key ON history (key);
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('compacted', 0), ('swept', 0);
  PRAGMA user_version = ${schemaVersion};
`;

/**
 * An index of the deletions, which are few, so that keys can be counted without reading rows that have a value. It is
 * not part of the schema version: SQLite maintains it for an older server too, and a store without it gets it on open.
 */
const createDeletionsIndex = 'CREATE INDEX IF NOT EXISTS history_deletions ON history (key) WHERE value IS NULL';

/**
 * Stores of earlier releases have no checksums. The column is not part of the schema version either: an earlier release
 * writes rows without a checksum, and the reader of such a value must verify it.
 */
const addChecksums = 'ALTER TABLE history ADD COLUMN checksum INTEGER';

export type DatabaseOptions = Partial<Omit<OpenRequest, 'directory'>>;

export interface OpenDatabase {
  readonly database: Database.Database;
  close(): void;
}

/**
 * Opens or creates the database in the directory, for exclusive use by this thread. Throws `InUse` immediately when
 * another process, or another store in this process, has it open. Throws `Corrupt` when the file is not a database of a
 * supported version.
 */
export function openDatabase(directory: string, options: DatabaseOptions = {}): OpenDatabase {
  const path = resolve(directory);
  makeDirectory(path);
  const lock = lockDirectory(path);
  try {
    const database = openData(path, options);
    return {
      database,
      close() {
        database.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * The lock is an open transaction on a separate database. The operating system releases it when the process ends for
 * any reason, and SQLite's tools can still inspect or back up the data while the server runs.
 */
function lockDirectory(path: string): Database.Database {
  const lock = new Database(join(path, 'storage.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    if (!(cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY'))) throw cause;
    throw new StorageError('InUse', `the data directory ${path} is in use by another server`, { cause });
  }
}

function openData(path: string, { sizeLimit, overwriteDeleted }: DatabaseOptions): Database.Database {
  const file = join(path, 'storage.sqlite');
  // Created with restrictive permissions before SQLite opens it; SQLite gives its other files the same permissions.
  // Only the holder of the lock may do this, because closing a file descriptor releases all locks that the process has
  // on the file.
  closeSync(openSync(file, 'a', 0o600));
  const database = new Database(file);
  try {
    // Both must be set before the first table is created.
    database.pragma(`page_size = ${pageBytes}`);
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    // Must be set on every open: a WAL database otherwise reopens with NORMAL, which may lose commits.
    database.pragma('synchronous = FULL');
    if (overwriteDeleted) database.pragma('secure_delete = ON');
    database.pragma(`cache_size = -${cacheKibibytes}`);
    database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    database.pragma(`journal_size_limit = ${checkpointPages * pageBytes}`);
    prepareSchema(database, file);
    if (sizeLimit !== undefined) database.pragma(`max_page_count = ${Math.ceil(sizeLimit / pageBytes)}`);
    syncDirectory(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareSchema(database: Database.Database, file: string): void {
  const version = database.pragma('user_version', { simple: true });
  if (version === 0) database.transaction(() => database.exec(createSchema + createDeletionsIndex)).immediate();
  else if (version === schemaVersion) database.transaction(() => upgradeSchema(database)).immediate();
  else
    throw new StorageError('Corrupt', `${file} has the format ${version}; this version understands ${schemaVersion}`);
}

function upgradeSchema(database: Database.Database): void {
  const columns = database.pragma('table_info(history)') as { readonly name: string }[];
  if (!columns.some(({ name }) => name === 'checksum')) database.exec(addChecksums);
  database.exec(createDeletionsIndex);
}

/** A new file is durable only when its directory is, and so on up to the first directory that already existed. */
function makeDirectory(path: string): void {
  const firstMade = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (firstMade === undefined) return;
  for (let made = path; made.length >= firstMade.length; made = dirname(made)) syncDirectory(dirname(made));
}

function syncDirectory(path: string): void {
  // Windows cannot fsync a directory.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
