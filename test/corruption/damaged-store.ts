import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Damage } from './damages.ts';

/** The database file of a stopped server, for damaging its values. */
export class DamagedStore {
  readonly #database: Database.Database;

  constructor(dataDir: string) {
    this.#database = new Database(join(dataDir, 'store', 'storage.sqlite'));
  }

  close(): void {
    this.#database.close();
  }

  /** Changes the latest value of the key. */
  damage(key: string, { change }: Pick<Damage, 'change'>): void {
    const row = this.#database.prepare('SELECT max(rev) AS rev, value FROM history WHERE key = ?').get(key);
    const { rev, value } = row as { rev: number | null; value: Buffer };
    if (rev === null) throw new Error(`nothing is stored under ${key}`);
    this.damageRevision(rev, change(value));
  }

  damageRevision(revision: number, value: ReturnType<Damage['change']>): void {
    this.#database.prepare('UPDATE history SET value = ? WHERE rev = ?').run(value, revision);
  }

  /** Removes the checksums, as in a file of an earlier release. */
  forgetChecksums(): void {
    this.#database.exec('ALTER TABLE history DROP COLUMN checksum');
  }
}
