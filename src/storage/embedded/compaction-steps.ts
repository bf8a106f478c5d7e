import type Database from 'better-sqlite3';
import type { SweepReply, VacuumReply, VacuumRequest } from './protocol.ts';

// Each step is one transaction, which blocks writers for a few milliseconds.
const maxSweepRevisions = 256;
const maxVacuumPages = 128;
// Under steady load, the pages freed by a compaction are soon reused, so moving data to release them would be wasted
// work. Space is released only when much more is free, and a small reserve stays.
const maxFreeRatio = 0.4;
const reserveRatio = 0.1;

/**
 * Worker side of compaction. It first records the compacted revision permanently, then deletes the obsolete rows in
 * steps. The progress is stored with the data, so that the sweep continues after a restart.
 */
export class CompactionSteps {
  readonly #database: Database.Database;
  readonly #read: Database.Statement<[string], number>;
  readonly #write: Database.Statement<[number, string], never>;
  readonly #probe: Database.Statement<[], never>;
  readonly #deleteReplaced: Database.Statement<[number, number], never>;
  readonly #deleteTombstones: Database.Statement<[number, number], never>;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#read = database.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
    this.#write = database.prepare('UPDATE meta SET value = ? WHERE name = ?');
    this.#probe = database.prepare(
      "INSERT INTO meta VALUES ('probe', 1) ON CONFLICT (name) DO UPDATE SET value = 1 - value",
    );
    // A row is obsolete when a row at or below the compacted revision replaced it, or when it is a deletion at or below
    // it.
    this.#deleteReplaced = database.prepare(
      'DELETE FROM history WHERE rev IN (SELECT prev_rev FROM history WHERE rev > ? AND rev <= ? AND prev_rev > 0)',
    );
    this.#deleteTombstones = database.prepare(
      'DELETE FROM history WHERE rev > ? AND rev <= ? AND value IS NULL AND create_rev = 0',
    );
  }

  compacted(): number {
    return this.#read.get('compacted') ?? 0;
  }

  /** Whether rows remain to be swept. */
  pending(): boolean {
    return this.#swept() < this.compacted();
  }

  /**
   * Writes a value to test whether writes succeed. The value must change each time, because SQLite does not write equal
   * values.
   */
  writeProbe(): void {
    this.#probe.run();
  }

  mark(revision: number): void {
    if (revision > this.compacted()) this.#write.run(revision, 'compacted');
  }

  sweep(): SweepReply {
    const compacted = this.compacted();
    const from = this.#swept();
    const through = Math.min(from + maxSweepRevisions, compacted);
    if (from < through) {
      this.#database
        .transaction(() => {
          this.#deleteReplaced.run(from, through);
          this.#deleteTombstones.run(from, through);
          this.#write.run(through, 'swept');
        })
        .immediate();
    }
    return { done: through >= compacted };
  }

  /**
   * Moves pages from the end of the file into free pages and truncates the file. The last step also empties the log.
   * `begun` is true when an earlier step has run, so that the vacuum continues to its end.
   */
  vacuum({ begun }: VacuumRequest): VacuumReply {
    const free = this.#number('freelist_count');
    const pages = this.#number('page_count');
    const reserve = Math.floor(pages * reserveRatio);
    if (free > reserve && (begun || free > pages * maxFreeRatio)) {
      this.#database.pragma(`incremental_vacuum(${Math.min(maxVacuumPages, free - reserve)})`);
      const left = this.#number('freelist_count');
      if (left > reserve && left < free) return { done: false };
    }
    this.#emptyLog();
    return { done: true };
  }

  /**
   * Skipped while another program reads the file: writers must not wait for it, and the next compaction tries again.
   */
  #emptyLog(): void {
    const timeout = this.#number('busy_timeout');
    this.#database.pragma('busy_timeout = 0');
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#database.pragma(`busy_timeout = ${timeout}`);
  }

  #swept(): number {
    return this.#read.get('swept') ?? 0;
  }

  #number(pragma: string): number {
    return Number(this.#database.pragma(pragma, { simple: true }));
  }
}
