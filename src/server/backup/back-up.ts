import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { buildInfo } from '../../http/discovery/index.ts';
import { type BackupReport, recoverDatabase, replaceFile, writeBackup } from '../../storage/backup/index.ts';
import { storeFile } from './data-directory-store.ts';
import { type LastBackup, lastBackupFile } from './last-backup.ts';

export interface BackUpOptions {
  readonly dataDir: string;
  /** The backup. A file with this name is replaced. */
  readonly file: string;
  readonly skipUnreadable: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Backs up the objects and the certificates of a server, whether it is running or not, and records that in the data
 * directory. Rejects with a `StorageError` on failure; an earlier backup with this name is then unchanged.
 */
export async function backUp({ dataDir, file, ...options }: BackUpOptions): Promise<BackupReport> {
  const store = storeFile(dataDir);
  recoverDatabase(dirname(store));
  const files = await keyFiles(dataDir);
  const report = writeBackup({ ...options, store, to: file, files, release: buildInfo().packageVersion });
  recordBackup(dataDir, { file: resolve(file), ...report });
  return report;
}

/** Lets the server report the last backup. A read-only directory can be backed up as well. */
function recordBackup(dataDir: string, { file, time, revision, objects, bytes }: LastBackup): void {
  const record: LastBackup = { file, time, revision, objects, bytes };
  try {
    replaceFile(lastBackupFile(dataDir), (partial) => writeFileSync(partial, `${JSON.stringify(record)}\n`));
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(code)) throw error;
  }
}

/** The certificates and keys that the server has created. */
async function keyFiles(dataDir: string): Promise<ReadonlyMap<string, Buffer>> {
  const directory = join(dataDir, 'pki');
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => /\.(crt|key)$/.test(name)).sort();
  return new Map(
    await Promise.all(
      files.map(async (name) => [`pki/${name}`, await readFile(join(directory, name))] as [string, Buffer]),
    ),
  );
}
