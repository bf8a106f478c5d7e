import type Database from 'better-sqlite3';
import { HistoryTable } from './history-table.ts';
import { LegacyRows } from './legacy-rows.ts';
import { MetaTable } from './meta-table.ts';
import { ObsoleteRowSearch } from './obsolete-rows.ts';
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
  readonly #meta: MetaTable;
  readonly #legacy: LegacyRows;
  readonly #probe: Database.Statement<[], never>;
  readonly #obsolete: ObsoleteRowSearch;
  readonly #delete: Database.Statement<[number], never>;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#meta = new MetaTable(database);
    this.#legacy = new LegacyRows(database, this.#meta);
    this.#probe = database.prepare(
      "INSERT INTO meta VALUES ('probe', 1) ON CONFLICT (name) DO UPDATE SET value = 1 - value",
    );
    this.#obsolete = new ObsoleteRowSearch(database, new HistoryTable(database));
    this.#delete = database.prepare('DELETE FROM history WHERE rev = ?');
  }

  compacted(): number {
    return this.#meta.get('compacted') ?? 0;
  }

  /** Whether rows remain to be swept, or to get their checksums. */
  pending(): boolean {
    return this.#swept() < this.compacted() || this.#legacy.remain();
  }

  /**
   * Writes a value to test whether writes succeed. The value must change each time, because SQLite does not write equal
   * values.
   */
  writeProbe(): void {
    this.#probe.run();
  }

  mark(revision: number): void {
    if (revision > this.compacted()) this.#meta.set({ compacted: revision });
  }

  /** Stores that the revision has been reached. */
  reached(latest: number): void {
    if (latest > (this.#meta.get('latest') ?? 0)) this.#meta.set({ latest });
  }

  /** Throws `Corrupt` at a damaged row. It and all later ones are kept with what they replaced, until it is repaired. */
  sweep(): SweepReply {
    // Before anything is deleted, so that no row is examined without its checksum.
    if (this.#legacy.remain()) {
      this.#legacy.complete();
      return { done: false };
    }
    const compacted = this.compacted();
    const after = this.#swept();
    const through = Math.min(after + maxSweepRevisions, compacted);
    if (after >= through) return { done: true };
    const found = this.#database
      .transaction(() => {
        const obsolete = this.#obsolete.find({ after, through });
        for (const revision of obsolete.revisions) this.#delete.run(revision);
        this.#meta.set({ swept: obsolete.through });
        return obsolete;
      })
      .immediate();
    if (found.damage) throw found.damage;
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
    return this.#meta.get('swept') ?? 0;
  }

  #number(pragma: string): number {
    return Number(this.#database.pragma(pragma, { simple: true }));
  }
}
