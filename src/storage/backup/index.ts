/**
 * Backups of the embedded store, restores of them, and the examination of both. A backup is a file like that of a store,
 * with the newest value of each key at one revision. Stores are read beside a server that uses them.
 *
 * Values are bytes here, too: whether they are objects is for others to say.
 */
export { recoverDatabase } from '../embedded/database.ts';
export { BackupReader, type BackupSummary } from './backup-reader.ts';
export { examineStructure, type StructuralDamage } from './examine-structure.ts';
export { replaceFile } from './replace-file.ts';
export { type RestoreReport, restoreBackup } from './restore-backup.ts';
export { readFailure, StoreReader } from './store-reader.ts';
export { type BackupReport, writeBackup } from './write-backup.ts';
