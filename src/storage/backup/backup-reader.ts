import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { fileFailure } from '../file-failure.ts';
import { StorageError, type StoredEntry } from '../storage.ts';
import { EntryDigest } from './entry-digest.ts';
import { StoreReader } from './store-reader.ts';

/** The metadata of a backup. */
export interface BackupSummary {
  /** The revision of the store that it is a copy of. */
  readonly revision: number;
  readonly objects: number;
  /** The digest of all keys, revisions and values. */
  readonly sha256: string;
  /** The time of the backup, in RFC 3339. */
  readonly time: string;
  /** The version of the program that created it. */
  readonly release: string;
}

/** A backup is a store with these tables. */
export function createBackupTables(database: Database.Database): void {
  database.exec(`
    CREATE TABLE backup (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    CREATE TABLE files (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
  `);
}

/** Creates a store from a backup. */
export function dropBackupTables(database: Database.Database): void {
  database.exec('DROP TABLE backup; DROP TABLE files');
}

/** Computes the digest of the metadata of a backup. */
export function sealOf({ revision, objects, sha256, time, release }: BackupSummary): string {
  return createHash('sha256')
    .update(JSON.stringify([revision, objects, sha256, time, release]))
    .digest('hex');
}

type FileRow = readonly [name: string, sha256: string, content: Buffer];

/** A file that `writeBackup` has created. */
export class BackupReader {
  readonly summary: BackupSummary;
  readonly #file: string;
  readonly #store: StoreReader;

  /** Throws like `StoreReader`, and `Corrupt` when the file is not a complete backup. */
  constructor(file: string) {
    this.#file = file;
    this.#store = new StoreReader(file);
    try {
      this.summary = this.#readSummary();
    } catch (error) {
      this.close();
      throw fileFailure(error, file);
    }
  }

  /** The underlying rows, for detailed checks. */
  get store(): StoreReader {
    return this.#store;
  }

  entries(): Generator<StoredEntry> {
    return this.#store.entries();
  }

  /** The other files that were kept with the objects. Throws `Corrupt` when one is damaged. */
  files(): ReadonlyMap<string, Buffer> {
    const rows = this.#store.database.prepare<[], FileRow>('SELECT name, sha256, content FROM files').raw().all();
    const damaged = rows.find(([, sha256, content]) => createHash('sha256').update(content).digest('hex') !== sha256);
    if (damaged) throw new StorageError('Corrupt', `${this.#file}: the file ${damaged[0]} in it is damaged`);
    return new Map(rows.map(([name, , content]) => [name, content]));
  }

  /** Reads everything. Throws `Corrupt` when the content differs from what was written. */
  verify(onProgress: (done: number, total: number) => void = () => {}): BackupSummary {
    try {
      verifyEntries(this.#store, this.summary, onProgress);
      this.files();
      return this.summary;
    } catch (error) {
      throw fileFailure(error, this.#file);
    }
  }

  close(): void {
    this.#store.close();
  }

  #readSummary(): BackupSummary {
    const { database } = this.#store;
    const tables = database.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('backup', 'files')").pluck();
    if (tables.get() !== 2) throw new StorageError('Corrupt', `${this.#file} is a store, not a backup`);
    const notes = database.prepare<[], [string, unknown]>('SELECT name, value FROM backup').raw().all();
    const { objects, sha256, time, release, seal } = Object.fromEntries(notes);
    const summary = {
      revision: this.#store.revision,
      objects: Number(objects),
      sha256: String(sha256),
      time: String(time),
      release: String(release),
    };
    if (sealOf(summary) !== seal) throw new StorageError('Corrupt', `${this.#file} is a damaged backup`);
    return summary;
  }
}

const progressInterval = 500;

/** Throws `Corrupt` unless the store has exactly these entries. */
export function verifyEntries(
  store: StoreReader,
  { objects, sha256 }: Pick<BackupSummary, 'objects' | 'sha256'>,
  onProgress: (done: number, total: number) => void = () => {},
): void {
  const digest = new EntryDigest();
  for (const entry of store.entries()) {
    if (entry.corrupt !== undefined) throw new StorageError('Corrupt', `${entry.key}: ${entry.corrupt}`);
    digest.add(entry);
    if (digest.count % progressInterval === 0) onProgress(digest.count, objects);
  }
  if (digest.count !== objects) {
    throw new StorageError('Corrupt', `there are ${digest.count} objects, expected ${objects}`);
  }
  if (digest.finish() !== sha256)
    throw new StorageError('Corrupt', 'the objects do not match the digest of the backup');
}
