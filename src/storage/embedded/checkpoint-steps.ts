import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { NewRow } from './history-table.ts';

/** A step copies about this much in one or two milliseconds. */
const stepBytes = 2 * 1024 * 1024;
/** If so much is written while a step waits for the disk, it is abandoned: the log grows as long as it waits. */
const maxWaitingBytes = 2 * stepBytes;
/** Every transaction writes whole pages of the table and of its indexes, and new keys are spread over an index. */
const transactionBytes = 16 * 1024;
const rowBytes = 1024;

/**
 * Copies pages from SQLite's log to the database in small steps, while commits continue. SQLite does it in one piece
 * when the log is long: it syncs the log, copies all pages and syncs the database, and commits wait for some 20 ms.
 * That still happens, because only then is the log reused, but it has little left to do.
 *
 * A step syncs the log on another thread, copies the pages that are durable in it, and then syncs the database on
 * another thread. Pages that are not durable in the log must not be copied: after a power failure, the database would
 * have only a part of a transaction. Therefore a reader keeps the state of the beginning of the step. SQLite copies no
 * page that is newer than what a reader sees.
 */
export class CheckpointSteps {
  readonly #database: Database.Database;
  readonly #databaseFile: number;
  readonly #logFile: number;
  /** Opened by the first step. */
  #reader: Database.Database | undefined;
  /** How much has been written since the last step began. */
  #writtenBytes = 0;
  #isStepping = false;
  /** The first error of a sync. The operating system reports each error only once. */
  #syncError: Error | undefined;

  /** The database must be open, with a log. */
  constructor(database: Database.Database) {
    this.#database = database;
    // Not opened again later: closing any descriptor of the database releases the locks of this process on it.
    this.#databaseFile = openForSync(database.name);
    this.#logFile = openForSync(`${database.name}-wal`);
  }

  /** Must be called after rows have been committed without a sync. */
  committed(rows: readonly NewRow[]): void {
    const bytes = rows.reduce((sum, { value }) => sum + rowBytes + (value?.length ?? 0), transactionBytes);
    this.#writtenBytes += bytes;
    if (this.#isStepping) {
      if (this.#writtenBytes >= maxWaitingBytes) this.interrupt();
    } else if (this.#writtenBytes >= stepBytes) {
      this.#begin();
    }
  }

  /** Makes everything in SQLite's log durable. */
  syncLog(): void {
    if (this.#syncError) throw this.#syncError;
    fdatasyncSync(this.#logFile);
  }

  /** Ends the current step before it copies, so that no reader keeps the log from being emptied. */
  interrupt(): void {
    if (this.#reader?.inTransaction) this.#reader.exec('ROLLBACK');
  }

  /** Closes the database too. */
  close(): void {
    // SQLite empties and removes its log when the last connection is closed, and a reader cannot do that.
    this.#reader?.close();
    closeSync(this.#logFile);
    this.#database.close();
    closeSync(this.#databaseFile);
  }

  #begin(): void {
    this.#writtenBytes = 0;
    try {
      this.#reader ??= new Database(this.#database.name, { readonly: true });
      // The state is kept from the first read on.
      this.#reader.exec('BEGIN; SELECT count(*) FROM meta');
    } catch {
      // Without a step, SQLite has more to do at once, and reports the error if it persists.
      return;
    }
    this.#isStepping = true;
    fdatasync(this.#logFile, (error) => {
      if (error) this.#syncError ??= error;
      else if (this.#reader?.inTransaction) this.#copy();
      if (!this.#database.open) return;
      this.interrupt();
      fdatasync(this.#databaseFile, () => {
        this.#isStepping = false;
      });
    });
  }

  #copy(): void {
    // SQLite would regard a log that has been copied as a whole as no longer needed, and the database is not synced yet.
    if (this.#writtenBytes === 0) return;
    const synchronous = this.#setting('synchronous');
    this.#database.pragma('synchronous = OFF');
    try {
      const [result] = this.#database.pragma('wal_checkpoint(PASSIVE)') as [{ readonly log: number }];
      // It is time that SQLite reuses the log, which a reader would prevent.
      if (result.log >= this.#setting('wal_autocheckpoint')) this.#writtenBytes = 0;
    } catch {
      // Tried again by the next step, and by SQLite, which has to do it before it reuses the log.
    } finally {
      this.#database.pragma(`synchronous = ${synchronous}`);
    }
  }

  #setting(pragma: string): number {
    return Number(this.#database.pragma(pragma, { simple: true }));
  }
}

function openForSync(path: string): number {
  // Windows requires write access.
  return openSync(path, 'r+');
}
