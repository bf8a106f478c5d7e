import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { BackupReader, type RestoreReport, restoreBackup } from '../../storage/backup/index.ts';
import { StorageError } from '../../storage/index.ts';
import { prepareDataDirectory } from '../files/data-directory.ts';
import { storeDirectory } from './data-directory-store.ts';

export interface RestoreOptions {
  /** The backup. */
  readonly file: string;
  readonly dataDir: string;
  /** Whether existing objects are replaced. */
  readonly replace: boolean;
  /** Whether the certificates of the backup are restored, if the data directory has none. */
  readonly certificates: boolean;
}

export interface Restored extends RestoreReport {
  /** Whether the certificates of the backup were restored. */
  readonly certificates: boolean;
}

/**
 * Restores a backup into a data directory. If a server is running there, the restore takes effect at its next start.
 * Rejects with a `StorageError` when the backup is damaged or the store has objects that must not be replaced; then
 * nothing has changed.
 */
export async function restore({ file, dataDir, replace, certificates }: RestoreOptions): Promise<Restored> {
  const backup = new BackupReader(file);
  try {
    const files = backup.files();
    await prepareDataDirectory(resolve(dataDir));
    let hasRestoredKeys = false;
    const onComplete = (): void => {
      hasRestoredKeys = certificates && restoreKeyFiles(dataDir, files);
    };
    const report = restoreBackup({ backup, file, directory: storeDirectory(dataDir), replace, onComplete });
    return { ...report, certificates: hasRestoredKeys };
  } catch (error) {
    if (!(error instanceof StorageError && error.code === 'NotEmpty')) throw error;
    const problem = `${dataDir} has objects already: --replace puts the backup in their place, and keeps them`;
    throw new StorageError('NotEmpty', problem, { cause: error });
  } finally {
    backup.close();
  }
}

/** Restores all of them or none: certificates of two authorities do not work together. */
function restoreKeyFiles(dataDir: string, files: ReadonlyMap<string, Buffer>): boolean {
  const directory = join(resolve(dataDir), 'pki');
  if (files.size === 0 || (existsSync(directory) && readdirSync(directory).length > 0)) return false;
  const partial = `${directory}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  for (const [name, content] of files) {
    writeFileSync(join(partial, basename(name)), content, { mode: 0o600, flush: true });
  }
  renameSync(partial, directory);
  return true;
}
