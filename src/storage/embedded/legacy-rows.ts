import type Database from 'better-sqlite3';
import { rowChecksumOf } from './integrity.ts';
import type { MetaTable } from './meta-table.ts';

/** The rows of a step, which blocks writers for a few milliseconds. */
const maxRows = 64;

type LegacyRow = [revision: number, key: unknown, createRevision: number, previousRevision: number];

/**
 * Gives the rows that an earlier release has written their checksums, from the newest to the oldest. A row that the
 * index by key does not confirm gets none, and is damaged from then on.
 */
export class LegacyRows {
  readonly #database: Database.Database;
  readonly #meta: MetaTable;
  readonly #rows: Database.Statement<[number, number], LegacyRow>;
  readonly #isConfirmed: Database.Statement<[string, number], number>;
  readonly #complete: Database.Statement<[number, number], never>;

  constructor(database: Database.Database, meta: MetaTable) {
    this.#database = database;
    this.#meta = meta;
    this.#rows = database
      .prepare<[number, number], LegacyRow>(
        `SELECT rev, key, create_rev, prev_rev FROM history WHERE rev <= ? AND row_checksum IS NULL
         ORDER BY rev DESC LIMIT ?`,
      )
      .raw();
    this.#isConfirmed = database
      .prepare<[string, number], number>(
        'SELECT count(*) FROM history INDEXED BY history_by_key WHERE key = ? AND rev = ?',
      )
      .pluck();
    this.#complete = database.prepare('UPDATE history SET row_checksum = ? WHERE rev = ?');
  }

  remain(): boolean {
    return (this.#meta.get('legacy') ?? 0) > 0;
  }

  /** Handles some of the rows, in one transaction. */
  complete(): void {
    this.#database
      .transaction(() => {
        const rows = this.#rows.all(this.#meta.get('legacy') ?? 0, maxRows);
        for (const row of rows) this.#add(row);
        const lowest = rows.length === maxRows ? rows.at(-1)![0] : 1;
        this.#meta.set({ legacy: lowest > 1 ? lowest - 1 : undefined });
      })
      .immediate();
  }

  #add([revision, key, createRevision, previousRevision]: LegacyRow): void {
    const checksum = rowChecksumOf({ revision, key, createRevision, previousRevision });
    if (checksum === undefined || this.#isConfirmed.get(String(key), revision) !== 1) return;
    this.#complete.run(checksum, revision);
  }
}
