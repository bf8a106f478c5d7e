import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { createStore, setPageLayout } from '../embedded/database.ts';
import { HistoryTable } from '../embedded/history-table.ts';
import { MetaTable } from '../embedded/meta-table.ts';
import { fileFailure } from '../file-failure.ts';
import { StorageError, type StoredEntry } from '../storage.ts';
import { BackupReader, type BackupSummary, createBackupTables, sealOf } from './backup-reader.ts';
import { EntryDigest } from './entry-digest.ts';
import { replaceFile } from './replace-file.ts';
import { StoreReader } from './store-reader.ts';

export interface WriteBackupOptions {
  /** The file of the store. A server may be using it. */
  readonly store: string;
  /** A file with this name is replaced when the backup is complete and verified. */
  readonly to: string;
  /** Other files to keep with the objects, by the names that a restore gives them. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The version of the program. */
  readonly release: string;
  /** Whether to skip damaged values. Otherwise they are an error. */
  readonly skipUnreadable: boolean;
  /** Called periodically with the number of written objects. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface BackupReport extends BackupSummary {
  /** The size of the file. */
  readonly bytes: number;
  /** The skipped values, as `key: reason`. */
  readonly unreadable: readonly string[];
}

const progressInterval = 500;
const maxNamed = 10;

/**
 * Writes a backup: the newest value of every key, as it is stored, at one revision. The file is read again and compared
 * before it is renamed. Throws a `StorageError`.
 */
export function writeBackup(options: WriteBackupOptions): BackupReport {
  const source = new StoreReader(options.store);
  try {
    const unfinished = source.meta('filling');
    if (unfinished !== undefined) throw new StorageError('Corrupt', `an import into ${options.store} is not finished`);
    return replaceFile(options.to, (partial) => {
      const { sha256, unreadable } = write(partial, source, options);
      const copy = new BackupReader(partial);
      try {
        const summary = copy.verify();
        if (summary.sha256 !== sha256) throw new StorageError('Corrupt', 'the backup is not equal to the store');
        return { ...summary, bytes: statSync(partial).size, unreadable };
      } finally {
        copy.close();
      }
    });
  } catch (error) {
    throw fileFailure(error, options.store);
  } finally {
    source.close();
  }
}

interface Written {
  readonly sha256: string;
  readonly unreadable: readonly string[];
}

function write(partial: string, source: StoreReader, options: WriteBackupOptions): Written {
  const database = new Database(partial);
  try {
    setPageLayout(database);
    // No journal is needed, because the file is not used before it is complete.
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    return database.transaction(() => fill(database, source, options)).immediate();
  } finally {
    database.close();
  }
}

function fill(database: Database.Database, source: StoreReader, options: WriteBackupOptions): Written {
  createStore(database);
  createBackupTables(database);
  const history = new HistoryTable(database);
  const digest = new EntryDigest();
  const total = source.count();
  const unreadable: string[] = [];
  for (const entry of source.entries()) {
    if (entry.corrupt === undefined) insert(history, digest, entry);
    else unreadable.push(`${entry.key}: ${entry.corrupt}`);
    if (digest.count % progressInterval === 0) options.onProgress?.(digest.count, total);
  }
  if (unreadable.length > 0 && !options.skipUnreadable) throw damagedError(unreadable);
  const summary = {
    revision: source.revision,
    objects: digest.count,
    sha256: digest.finish(),
    time: new Date().toISOString(),
    release: options.release,
  };
  new MetaTable(database).set({ compacted: summary.revision, swept: summary.revision });
  const note = database.prepare('INSERT INTO backup VALUES (?, ?)');
  const { revision: _, ...notes } = { ...summary, seal: sealOf(summary) };
  for (const [name, value] of Object.entries(notes)) note.run(name, value);
  const addFile = database.prepare('INSERT INTO files VALUES (?, ?, ?)');
  for (const [name, content] of options.files) {
    addFile.run(name, createHash('sha256').update(content).digest('hex'), content);
  }
  return { sha256: summary.sha256, unreadable };
}

function insert(history: HistoryTable, digest: EntryDigest, entry: StoredEntry): void {
  const { key, value, createRevision, modRevision: revision } = entry;
  history.insert({ revision, key, createRevision, previousRevision: 0, value });
  digest.add(entry);
}

function damagedError(unreadable: readonly string[]): StorageError {
  const more = unreadable.length > maxNamed ? [`and ${unreadable.length - maxNamed} more`] : [];
  const problem = `${unreadable.length} objects are damaged (--skip-unreadable leaves them out)`;
  return new StorageError('Corrupt', [problem, ...unreadable.slice(0, maxNamed), ...more].join('\n  '));
}
