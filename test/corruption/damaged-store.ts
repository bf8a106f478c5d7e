import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Damage } from './damages.ts';

/** The file of a server that does not run, as it may be found after an accident. */
export class DamagedStore {
  readonly #database: Database.Database;

  constructor(dataDir: string) {
    this.#database = new Database(join(dataDir, 'store', 'storage.sqlite'));
  }

  close(): void {
    this.#database.close();
  }

  /** Changes the newest value of the key. */
  damage(key: string, { change }: Pick<Damage, 'change'>): void {
    const row = this.#database.prepare('SELECT max(rev) AS rev, value FROM history WHERE key = ?').get(key);
    const { rev, value } = row as { rev: number | null; value: Buffer };
    if (rev === null) throw new Error(`nothing is stored under ${key}`);
    this.damageRevision(rev, change(value));
  }

  damageRevision(revision: number, value: ReturnType<Damage['change']>): void {
    this.#database.prepare('UPDATE history SET value = ? WHERE rev = ?').run(value, revision);
  }

  /** Makes it a file of an earlier release. */
  forgetChecksums(): void {
    this.#database.exec('ALTER TABLE history DROP COLUMN checksum');
  }
}
