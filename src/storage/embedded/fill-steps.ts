import Database from 'better-sqlite3';
import { StorageError } from '../storage.ts';
import { HistoryTable } from './history-table.ts';
import { MetaTable } from './meta-table.ts';
import type { FilledEntry } from './protocol.ts';

/**
 * Worker side of filling a new store. The revision of the source is stored first, so that an unfinished store can be
 * recognized. It is removed last.
 */
export class FillSteps {
  readonly #database: Database.Database;
  readonly #meta: MetaTable;
  readonly #history: HistoryTable;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#meta = new MetaTable(database);
    this.#history = new HistoryTable(database);
  }

  /** The revision of the source of an unfinished filling. */
  unfinished(): number | undefined {
    return this.#meta.get('filling');
  }

  /** Begins a filling, or continues one. Throws when the store is not empty. */
  begin(revision: number): void {
    if (this.unfinished() !== undefined) return;
    if (this.#latest() > 0) throw new StorageError('NotEmpty', 'the store is not empty');
    this.#meta.set({ filling: revision });
  }

  lastKey(): string | undefined {
    return this.#database.prepare<[], string | null>('SELECT max(key) FROM history').pluck().get() ?? undefined;
  }

  /** The entries are durable on return. */
  add(entries: readonly FilledEntry[]): void {
    this.#database
      .transaction(() => {
        for (const entry of entries) this.#insert(entry);
      })
      .immediate();
  }

  finish(): void {
    const revision = this.#latest();
    this.#meta.set({ compacted: revision, swept: revision, filling: undefined });
  }

  #insert({ key, createRevision, modRevision, value }: FilledEntry): void {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const row = { key, createRevision: createRevision || modRevision, previousRevision: 0, value: bytes };
    try {
      this.#history.insert({ ...row, revision: modRevision });
    } catch (error) {
      if (!(error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')) throw error;
      this.#history.insert({ ...row, revision: this.#latest() + 1 });
    }
  }

  /** The latest revision of the rows, and of the source. */
  #latest(): number {
    return Math.max(this.#history.latest(), this.#meta.get('compacted') ?? 0, this.unfinished() ?? 0);
  }
}
