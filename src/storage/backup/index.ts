/**
 * Backup, restore and verification of the embedded store. A backup is a file like that of a store, with the newest
 * value of each key at one revision. Stores can be read while a server uses them.
 *
 * Values are opaque bytes: the caller checks whether they are objects.
 */
export { recoverDatabase } from '../embedded/database.ts';
export { fileFailure } from '../file-failure.ts';
export { BackupReader, type BackupSummary } from './backup-reader.ts';
export { examineStructure, type StructuralDamage } from './examine-structure.ts';
export { replaceFile } from './replace-file.ts';
export { type RestoreReport, restoreBackup } from './restore-backup.ts';
export { StoreReader } from './store-reader.ts';
export { type BackupReport, writeBackup } from './write-backup.ts';
