import type Database from 'better-sqlite3';
import { checksumOf, checkValue, integrity } from './integrity.ts';
import type { Version } from './packed-versions.ts';

/**
 * The columns that reads need. A deletion has neither a value nor a create revision. A damaged file may hold anything.
 */
export type VersionRow = [modRevision: number, createRevision: number, value: unknown, checksum: unknown];

export interface NewRow {
  readonly revision: number;
  readonly key: string;
  readonly createRevision: number;
  readonly previousRevision: number;
  readonly value: Buffer | undefined;
}

export interface EventRow {
  readonly revision: number;
  readonly key: string;
  readonly version: Version | undefined;
  readonly previous: Version | undefined;
}

/** The prepared statements on the history table. It contains no logic beyond SQL. */
export class HistoryTable {
  readonly #newest: Database.Statement<[string, number], VersionRow>;
  readonly #insert: Database.Statement<InsertParameters, never>;
  readonly #keys: Database.Statement<[string, string, number, number], [key: string, revision: number]>;
  readonly #skip: Database.Statement<[string, string, number], string>;
  readonly #count: Database.Statement<[{ start: string; end: string; revision: number }], number>;
  readonly #byRevision: Database.Statement<[number], VersionRow>;
  readonly #events: Database.Statement<EventParameters, EventColumns>;
  readonly #changes: Database.Statement<[KeyChanges], number>;
  readonly #event: Database.Statement<[number], EventColumns>;
  readonly #latest: Database.Statement<[], number | null>;

  constructor(database: Database.Database) {
    this.#newest = database
      .prepare<[string, number], VersionRow>(
        'SELECT rev, create_rev, value, checksum FROM history WHERE key = ? AND rev <= ? ORDER BY rev DESC LIMIT 1',
      )
      .raw();
    this.#insert = database.prepare(
      'INSERT INTO history (rev, key, create_rev, prev_rev, checksum, value) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#keys = database
      .prepare<[string, string, number, number], [string, number]>(
        'SELECT key, max(rev) FROM history WHERE key >= ? AND key < ? AND rev <= ? GROUP BY key ORDER BY key LIMIT ?',
      )
      .raw();
    this.#skip = database
      .prepare<[string, string, number], string>(
        'SELECT key FROM history WHERE key >= ? AND key < ? ORDER BY key LIMIT 1 OFFSET ?',
      )
      .pluck();
    // Counts the keys that have rows and subtracts those whose newest row is a deletion. Reads no row that has a value.
    this.#count = database
      .prepare<[{ start: string; end: string; revision: number }], number>(
        `SELECT (SELECT count(DISTINCT key) FROM history WHERE key >= :start AND key < :end AND rev <= :revision)
              - (SELECT count(*) FROM history d INDEXED BY history_deletions
                 WHERE d.key >= :start AND d.key < :end AND d.rev <= :revision AND d.value IS NULL AND d.create_rev = 0
                 AND NOT EXISTS (
                   SELECT 1 FROM history n WHERE n.key = d.key AND n.rev > d.rev AND n.rev <= :revision))`,
      )
      .pluck();
    this.#byRevision = database
      .prepare<[number], VersionRow>('SELECT rev, create_rev, value, checksum FROM history WHERE rev = ?')
      .raw();
    const selectEvents = `SELECT h.key, h.rev, h.create_rev, h.value, h.checksum,
                                 p.rev, p.create_rev, p.value, p.checksum
                          FROM history h LEFT JOIN history p ON p.rev = h.prev_rev`;
    // The unary plus keeps SQLite from using the index on key, which would require sorting all rows.
    this.#events = database
      .prepare<EventParameters, EventColumns>(
        `${selectEvents}
         WHERE h.rev > :after AND h.rev <= :through AND +h.key >= :start AND (:end IS NULL OR +h.key < :end)
         ORDER BY h.rev`,
      )
      .raw();
    // Without the other columns, the index suffices, and no values are sorted.
    this.#changes = database
      .prepare<[KeyChanges], number>(
        `SELECT rev FROM history INDEXED BY history_by_key
         WHERE key >= :start AND key < :end AND rev > :after ORDER BY rev`,
      )
      .pluck();
    this.#event = database.prepare<[number], EventColumns>(`${selectEvents} WHERE h.rev = ?`).raw();
    this.#latest = database.prepare<[], number | null>('SELECT max(rev) FROM history').pluck();
  }

  /** The highest revision among the remaining rows. */
  latest(): number {
    return this.#latest.get() ?? 0;
  }

  /** The state of the key as of the revision. */
  newest(key: string, revision: number): Version | undefined {
    return toVersion(this.#newest.get(key, revision));
  }

  insert({ revision, key, createRevision, previousRevision, value }: NewRow): void {
    const checksum = value === undefined ? null : checksumOf(value);
    this.#insert.run(revision, key, createRevision, previousRevision, checksum, value ?? null);
  }

  /**
   * The keys of the range that have a row at or before the revision, each with its newest such row. Includes deleted
   * keys.
   */
  keys({ start, end, revision, limit }: { start: string; end: string; revision: number; limit: number }): KeyRow[] {
    return this.#keys.all(start, end, revision, limit).map(([key, newest]) => ({ key, revision: newest }));
  }

  /** The key of the row at offset `rows` in the range. */
  skip({ start, end, rows }: { start: string; end: string; rows: number }): string | undefined {
    return this.#skip.get(start, end, rows);
  }

  /** The number of keys in the range that exist as of the revision. */
  count(options: { start: string; end: string; revision: number }): number {
    return this.#count.get(options) ?? 0;
  }

  /** The version written at exactly this revision; undefined for a deletion. */
  written(revision: number): Version | undefined {
    return toVersion(this.#byRevision.get(revision));
  }

  /**
   * The changes with `after < revision <= through`, in order, one at a time. If `end` is undefined, there is no upper
   * bound.
   */
  *events(options: { after: number; through: number; start: string; end: string | undefined }): Generator<EventRow> {
    const parameters = { ...options, end: options.end ?? null };
    for (const columns of this.#events.iterate(parameters)) yield toEvent(columns);
  }

  /** Like `events` through the latest revision, for a range with few rows: reads no rows of other keys. */
  *eventsOfKeys(changes: KeyChanges): Generator<EventRow> {
    for (const revision of this.#changes.all(changes)) yield toEvent(this.#event.get(revision)!);
  }
}

function toEvent([key, revision, createRevision, value, checksum, ...previous]: EventColumns): EventRow {
  return {
    revision,
    key,
    version: toVersion([revision, createRevision, value, checksum]),
    previous: toVersion(previous),
  };
}

export interface KeyChanges {
  readonly start: string;
  readonly end: string;
  readonly after: number;
}

interface KeyRow {
  readonly key: string;
  readonly revision: number;
}

type InsertParameters = [number, string, number, number, checksum: number | null, value: Buffer | null];
type EventParameters = [{ after: number; through: number; start: string; end: string | null }];
type EventColumns = [key: string, ...VersionRow, ...VersionRow];

const noBytes = Buffer.alloc(0);

/** Undefined for a deletion. */
export function toVersion(row: VersionRow | undefined): Version | undefined {
  if (row === undefined) return undefined;
  const [modRevision, createRevision, value, checksum] = row;
  if (Buffer.isBuffer(value)) return { modRevision, createRevision, value, integrity: checkValue(value, checksum) };
  // A deletion, or the unmatched side of a join.
  if (value === null && !createRevision) return undefined;
  if (value === null) return { modRevision, createRevision, value: noBytes, integrity: integrity.missing };
  return { modRevision, createRevision, value: Buffer.from(String(value)), integrity: integrity.notBytes };
}
