import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BackupSummary, replaceFile } from '../../storage/backup/index.ts';

/** The last backup that was made of a data directory. */
export interface LastBackup extends Pick<BackupSummary, 'time' | 'revision' | 'objects'> {
  /** Where it was written. It may be elsewhere now. */
  readonly file: string;
  readonly bytes: number;
}

const recordName = 'last-backup.json';

/**
 * Notes a backup in the data directory, so that the server can tell when it was made. A directory that cannot be written
 * can be backed up as well.
 */
export function recordBackup(dataDir: string, { file, time, revision, objects, bytes }: LastBackup): void {
  const record: LastBackup = { file, time, revision, objects, bytes };
  try {
    replaceFile(join(resolve(dataDir), recordName), (partial) => writeFileSync(partial, `${JSON.stringify(record)}\n`));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}
