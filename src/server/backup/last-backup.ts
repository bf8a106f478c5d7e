import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The last backup of a data directory. */
export interface LastBackup {
  /** The path where it was written. It may have been moved since. */
  readonly file: string;
  /** In RFC 3339. */
  readonly time: string;
  readonly revision: number;
  readonly objects: number;
  readonly bytes: number;
}

/** The file that describes the last backup. */
export function lastBackupFile(dataDir: string): string {
  return join(resolve(dataDir), 'last-backup.json');
}

/** Undefined when there was no backup, or the file cannot be read. */
export function lastBackup(dataDir: string): LastBackup | undefined {
  try {
    return JSON.parse(readFileSync(lastBackupFile(dataDir), 'utf8')) as LastBackup;
  } catch {
    return undefined;
  }
}
