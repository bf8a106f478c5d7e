/**
 * Backups of a data directory, restores, and the examination of both: which files belong to a server, and what their
 * objects must be. How they are written is a matter of `storage/backup`.
 */
export { valueEncryption } from '../encryption.ts';
export { backUp } from './back-up.ts';
export { type Examination, examine, type Finding } from './examine.ts';
export { type Restored, restore } from './restore.ts';
