import { randomInt } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { openDatabase } from '../embedded/database.ts';
import { MetaTable } from '../embedded/meta-table.ts';
import { replacedStoreFile, restoredFile } from '../embedded/restored-store.ts';
import { StorageError } from '../storage.ts';
import { type BackupReader, type BackupSummary, dropBackupTables, verifyEntries } from './backup-reader.ts';
import { replaceFile } from './replace-file.ts';
import { StoreReader } from './store-reader.ts';

export interface RestoreBackupOptions {
  readonly backup: BackupReader;
  /** The file of the backup. */
  readonly file: string;
  /** The directory of the store. Created if absent. */
  readonly directory: string;
  /** Whether the store may have objects, which the backup replaces. */
  readonly replace: boolean;
  /** Called when the new store is complete, before it replaces the current one. */
  readonly onComplete: () => void;
}

export interface RestoreReport {
  readonly backup: BackupSummary;
  /** The revision at which the restored store begins. */
  readonly revision: number;
  /** Whether a server is running, which keeps its objects until it stops. */
  readonly atNextStart: boolean;
  /** The file with the previous objects. */
  readonly kept: string | undefined;
}

/**
 * Restored stores begin at a revision that the original never reaches, plus a random number, so that two copies of one
 * backup begin at different revisions.
 */
const revisionGap = 1_000_000_000;

/**
 * Creates a store from a backup and verifies it. All revisions up to its first one count as compacted, so that clients
 * which have seen later states of the objects list them again. Rejects with `NotEmpty` when the store has objects that
 * must not be replaced.
 */
export function restoreBackup(options: RestoreBackupOptions): RestoreReport {
  const { backup, file, directory, replace, onComplete } = options;
  const summary = backup.verify();
  const path = resolve(directory);
  const present = presentStore(join(path, 'storage.sqlite'));
  if (present.hasObjects && !replace) throw new StorageError('NotEmpty', 'the store is not empty');
  const revision = Math.max(summary.revision, present.revision) + revisionGap + randomInt(revisionGap);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const restored = restoredFile(path);
  replaceFile(restored, (partial) => {
    makeStore(partial, { file, summary, revision });
    onComplete();
  });
  const restoredAt = statSync(restored).mtime;
  const atNextStart = !isTaken(path);
  const kept = replacedStoreFile(path, restoredAt);
  return { backup: summary, revision, atNextStart, kept: existsSync(kept) ? kept : undefined };
}

interface MakeStoreOptions {
  readonly file: string;
  readonly summary: BackupSummary;
  readonly revision: number;
}

function makeStore(partial: string, { file, summary, revision }: MakeStoreOptions): void {
  copyFileSync(file, partial);
  // The copy has the mode of the backup file.
  chmodSync(partial, 0o600);
  const database = new Database(partial);
  try {
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    // Overwrites deleted data, so that the keys in the backup do not stay in the file.
    database.pragma('secure_delete = ON');
    database
      .transaction(() => {
        dropBackupTables(database);
        new MetaTable(database).set({ compacted: revision, swept: revision });
      })
      .immediate();
  } finally {
    database.close();
  }
  const store = new StoreReader(partial);
  try {
    verifyEntries(store, summary);
    if (store.revision !== revision) throw new StorageError('Corrupt', 'the restored store has a wrong revision');
  } finally {
    store.close();
  }
}

/** A store that cannot be read counts as one with objects, because they may still be recoverable. */
function presentStore(file: string): { readonly revision: number; readonly hasObjects: boolean } {
  if (!existsSync(file)) return { revision: 0, hasObjects: false };
  try {
    const store = new StoreReader(file);
    try {
      return { revision: store.revision, hasObjects: store.count() > 0 };
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof StorageError || error instanceof Database.SqliteError)
      return { revision: 0, hasObjects: true };
    throw error;
  }
}

/** Opening the store activates the restored one. Returns false if a server has the store open. */
function isTaken(directory: string): boolean {
  try {
    openDatabase(directory).close();
    return true;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'InUse') return false;
    throw error;
  }
}
