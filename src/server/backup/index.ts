/**
 * Backup, restore and verification of a data directory: which files belong to a server, and which objects are valid.
 * The file format is in `storage/backup`.
 */
export { valueEncryption } from '../encryption.ts';
export { backUp } from './back-up.ts';
export { type Examination, examine, type Finding } from './examine.ts';
export { type Restored, restore } from './restore.ts';
