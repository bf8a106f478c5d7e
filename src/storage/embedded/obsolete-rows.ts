import type Database from 'better-sqlite3';
import { StorageError } from '../storage.ts';
import type { HistoryRow, HistoryTable, WholeRow } from './history-table.ts';

/** Revisions after `after`, up to and including `through`. */
export interface SweptRevisions {
  readonly after: number;
  readonly through: number;
}

export interface ObsoleteRows {
  /** The revisions of the rows that no later read needs. */
  readonly revisions: readonly number[];
  /** The rows up to this revision have been examined. */
  readonly through: number;
  /** Why the row after that revision, and all later ones, cannot be examined. */
  readonly damage: StorageError | undefined;
}

/**
 * Finds the rows that a compaction deletes: those that a row of these revisions replaced, and deletions. A damaged row
 * could name the row of another key. Therefore a row that does not fit to the one that it replaces ends the search, and
 * so does a missing one: what it replaced is kept.
 */
export class ObsoleteRowSearch {
  readonly #file: string;
  readonly #history: Pick<HistoryTable, 'isWhole'>;
  readonly #rows: Database.Statement<[SweptRevisions], HistoryRow>;
  readonly #previous: Database.Statement<[number], HistoryRow>;

  constructor(database: Database.Database, history: Pick<HistoryTable, 'isWhole'>) {
    this.#file = database.name;
    this.#history = history;
    // Values are not needed, except whether there is one.
    const columns = 'rev, key, create_rev, prev_rev, row_checksum, NULL, value IS NOT NULL';
    this.#rows = database
      .prepare<[SweptRevisions], HistoryRow>(
        `SELECT ${columns} FROM history WHERE rev > :after AND rev <= :through ORDER BY rev`,
      )
      .raw();
    this.#previous = database.prepare<[number], HistoryRow>(`SELECT ${columns} FROM history WHERE rev = ?`).raw();
  }

  find({ after, through }: SweptRevisions): ObsoleteRows {
    const revisions: number[] = [];
    let examined = after;
    for (const row of this.#rows.iterate({ after, through })) {
      const [revision, key, , previousRevision] = row;
      // Every revision is the number of one row.
      if (revision !== examined + 1) break;
      const problem = this.#problemOf(row);
      if (problem !== undefined) return this.#damaged(revisions, examined, `the row of ${key} ${problem}`);
      if (Number(previousRevision) > 0) revisions.push(Number(previousRevision));
      if (isDeletion(row)) revisions.push(revision);
      examined = revision;
    }
    if (examined < through) return this.#damaged(revisions, examined, 'the row is missing');
    return { revisions, through, damage: undefined };
  }

  #damaged(revisions: readonly number[], through: number, problem: string): ObsoleteRows {
    const message =
      `${this.#file} is damaged at revision ${through + 1}: ${problem}. ` +
      'History is kept from there on, and the file grows. Run keelson verify on the data directory, which says what to do';
    return { revisions, through, damage: new StorageError('Corrupt', message) };
  }

  #problemOf(row: HistoryRow): string | undefined {
    const [revision, key, createRevision, previousRevision] = row as WholeRow;
    if (!this.#history.isWhole(row)) return 'does not match its checksum';
    if (previousRevision === 0) {
      return isDeletion(row) || createRevision !== revision ? 'does not name the row that it replaces' : undefined;
    }
    const previous = this.#previous.get(previousRevision);
    if (previousRevision >= revision || previous === undefined) {
      return `names revision ${previousRevision}, which does not exist, as the one that it replaces`;
    }
    const [, previousKey, previousCreateRevision] = previous;
    if (previousKey !== key) return `names revision ${previousRevision}, which is a row of ${previousKey}`;
    if (!this.#history.isWhole(previous)) return `replaces revision ${previousRevision}, whose checksum does not match`;
    const isSuccessor = !isDeletion(previous) && (isDeletion(row) || createRevision === previousCreateRevision);
    return isSuccessor ? undefined : `does not continue revision ${previousRevision}`;
  }
}

function isDeletion([, , createRevision, , , , hasValue]: HistoryRow): boolean {
  return !hasValue && createRevision === 0;
}
