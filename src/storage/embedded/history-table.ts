import type Database from 'better-sqlite3';
import { StorageError } from '../storage.ts';
import { checksumOf, checkValue, integrity, type RowIdentity, rowChecksumOf } from './integrity.ts';
import { MetaTable } from './meta-table.ts';
import type { Version } from './packed-versions.ts';

/** A deletion has neither a value nor a create revision. A damaged file may hold anything. */
export type HistoryRow = [
  revision: unknown,
  key: unknown,
  createRevision: unknown,
  previousRevision: unknown,
  rowChecksum: unknown,
  checksum: unknown,
  value: unknown,
];

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

/** The newest revision of a key according to each of the two indexes. They differ only if one of them is damaged. */
export interface KeyRow {
  readonly key: string;
  readonly byKey: number | undefined;
  readonly byVersion: number | undefined;
}

export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

type RangeAt = KeyRange & { readonly revision: number };

export const rowColumns = 'rev, key, create_rev, prev_rev, row_checksum, checksum, value';

/**
 * The rows of the history, with the checks that no damage of the file remains unnoticed. Each row has a checksum of its
 * key and revisions, and is compared with the key and the revision that are read. As a damaged index can hide a row,
 * each key is looked up in two indexes that hold the same. As revisions are consecutive, a missing row leaves a gap.
 */
export class HistoryTable {
  readonly #file: string;
  readonly #legacy: number;
  readonly #newestByKey: Database.Statement<[string, number], number>;
  readonly #newestByVersion: Database.Statement<[string, number], number>;
  readonly #insert: Database.Statement<InsertParameters, never>;
  readonly #keysByKey: Database.Statement<[RangeAt & { limit: number }], [key: unknown, revision: number]>;
  readonly #keysByVersion: Database.Statement<[RangeAt & { limit: number }], [key: unknown, revision: number]>;
  readonly #skip: Database.Statement<[string, string, number], unknown>;
  readonly #countByKey: Database.Statement<[RangeAt], number>;
  readonly #countByVersion: Database.Statement<[RangeAt], number>;
  readonly #row: Database.Statement<[number], HistoryRow>;
  readonly #events: Database.Statement<[EventRange], [...HistoryRow, matches: number]>;
  readonly #changesByKey: Database.Statement<[KeyChanges], number>;
  readonly #changesByVersion: Database.Statement<[KeyChanges], number>;
  readonly #latest: Database.Statement<[], HistoryRow>;

  constructor(database: Database.Database) {
    this.#file = database.name;
    this.#legacy = new MetaTable(database).unchecked('legacy') ?? 0;
    const inBoth = <P extends unknown[], R>(statement: (index: string) => string) => ({
      byKey: database.prepare<P, R>(statement('history_by_key')),
      byVersion: database.prepare<P, R>(statement('history_versions')),
    });
    const newest = inBoth<[string, number], number>(
      (index) => `SELECT rev FROM history INDEXED BY ${index} WHERE key = ? AND rev <= ? ORDER BY rev DESC LIMIT 1`,
    );
    this.#newestByKey = newest.byKey.pluck();
    this.#newestByVersion = newest.byVersion.pluck();
    this.#insert = database.prepare(`INSERT INTO history (${rowColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
    const keys = inBoth<[RangeAt & { limit: number }], [unknown, number]>(
      (index) =>
        `SELECT key, max(rev) FROM history INDEXED BY ${index}
         WHERE key >= :start AND key < :end AND rev <= :revision GROUP BY key ORDER BY key LIMIT :limit`,
    );
    this.#keysByKey = keys.byKey.raw();
    this.#keysByVersion = keys.byVersion.raw();
    this.#skip = database
      .prepare<[string, string, number], unknown>(
        'SELECT key FROM history INDEXED BY history_by_key WHERE key >= ? AND key < ? ORDER BY key LIMIT 1 OFFSET ?',
      )
      .pluck();
    // Counts the keys that have rows and subtracts those whose newest row is a deletion. Reads no row that has a value.
    this.#countByKey = database
      .prepare<[RangeAt], number>(
        `SELECT (SELECT count(DISTINCT key) FROM history INDEXED BY history_by_key
                 WHERE key >= :start AND key < :end AND rev <= :revision)
              - (SELECT count(*) FROM history d INDEXED BY history_deletions
                 WHERE d.key >= :start AND d.key < :end AND d.rev <= :revision AND d.value IS NULL AND d.create_rev = 0
                 AND NOT EXISTS (
                   SELECT 1 FROM history n INDEXED BY history_by_key
                   WHERE n.key = d.key AND n.rev > d.rev AND n.rev <= :revision))`,
      )
      .pluck();
    this.#countByVersion = database
      .prepare<[RangeAt], number>(
        `SELECT count(*) FROM (
           SELECT max(rev), create_rev FROM history INDEXED BY history_versions
           WHERE key >= :start AND key < :end AND rev <= :revision GROUP BY key) WHERE create_rev > 0`,
      )
      .pluck();
    this.#row = database.prepare<[number], HistoryRow>(`SELECT ${rowColumns} FROM history WHERE rev = ?`).raw();
    // The values of other keys are not read. The unary plus keeps SQLite from using an index on key, which would require
    // sorting all rows.
    this.#events = database
      .prepare<[EventRange], [...HistoryRow, number]>(
        `SELECT rev, key, create_rev, prev_rev, row_checksum, iif(matches, checksum, 0), iif(matches, value, 0), matches
         FROM (SELECT ${rowColumns}, +key >= :start AND (:end IS NULL OR +key < :end) AS matches
               FROM history WHERE rev > :after AND rev <= :through) ORDER BY rev`,
      )
      .raw();
    // Without the other columns, the index suffices, and no values are sorted.
    const changes = inBoth<[KeyChanges], number>(
      (index) =>
        `SELECT rev FROM history INDEXED BY ${index} WHERE key >= :start AND key < :end AND rev > :after ORDER BY rev`,
    );
    this.#changesByKey = changes.byKey.pluck();
    this.#changesByVersion = changes.byVersion.pluck();
    this.#latest = database
      .prepare<[], HistoryRow>(`SELECT ${rowColumns} FROM history ORDER BY rev DESC LIMIT 1`)
      .raw();
  }

  /**
   * The highest revision among the remaining rows. Throws `Corrupt` if it may be wrong: if the row is damaged and does
   * not follow another one.
   */
  latest(): number {
    const row = this.#latest.get();
    if (row === undefined) return 0;
    const before = this.isWhole(row) ? row : this.#row.get(Number(row[0]) - 1);
    if (before === undefined || !this.isWhole(before))
      throw this.#damaged(`the newest row (${row[0]}) does not match its checksum`);
    return row[0] as number;
  }

  /** The state of the key as of the revision. */
  newest(key: string, revision: number): Version | undefined {
    const byKey = this.#newestByKey.get(key, revision);
    const byVersion = this.#newestByVersion.get(key, revision);
    return this.read({ key, byKey, byVersion });
  }

  /** The version of a key that `keys` has returned. */
  read({ key, byKey, byVersion }: KeyRow): Version | undefined {
    if (byKey !== byVersion) return this.#resolve(key, [byKey, byVersion]);
    return byKey === undefined ? undefined : this.#version(key, byKey);
  }

  insert({ revision, key, createRevision, previousRevision, value }: NewRow): void {
    const rowChecksum = rowChecksumOf({ revision, key, createRevision, previousRevision })!;
    const checksum = value === undefined ? null : checksumOf(value);
    this.#insert.run(revision, key, createRevision, previousRevision, rowChecksum, checksum, value ?? null);
  }

  /**
   * The keys of the range that have a row at or before the revision. Includes deleted keys. If one of the indexes is
   * damaged, there may be more keys than the limit, which end where the indexes end.
   */
  keys(range: RangeAt & { limit: number }): { readonly rows: KeyRow[]; readonly isLimited: boolean } {
    const byKey = this.#keysByKey.all(range);
    const byVersion = this.#keysByVersion.all(range);
    const isEqual =
      byKey.length === byVersion.length &&
      byKey.every(([key, revision], at) => key === byVersion[at]![0] && revision === byVersion[at]![1]);
    if (isEqual) {
      const rows = byKey.map(([key, revision]) => ({ key: String(key), byKey: revision, byVersion: revision }));
      return { rows, isLimited: rows.length === range.limit };
    }
    return { rows: this.#keysOfBoth(range), isLimited: false };
  }

  /** The key of the row at offset `rows` in the range. */
  skip({ start, end, rows }: KeyRange & { rows: number }): string | undefined {
    const key = this.#skip.get(start, end, rows);
    if (key === undefined) return undefined;
    const isInRange = typeof key === 'string' && order(start, key) <= 0 && order(key, end) < 0;
    if (!isInRange) throw this.#indexDamaged();
    return key;
  }

  /** The number of keys in the range that exist as of the revision. */
  count(range: RangeAt): number {
    const count = this.#countByKey.get(range);
    if (count !== this.#countByVersion.get(range)) throw this.#indexDamaged();
    return count ?? 0;
  }

  /**
   * The changes with `after < revision <= through`, in order, one at a time. If `end` is undefined, there is no upper
   * bound. Throws `Corrupt` at a row that is missing or may be of another key.
   */
  *events(options: { after: number; through: number; start: string; end: string | undefined }): Generator<EventRow> {
    let expected = options.after;
    for (const [...columns] of this.#events.iterate({ ...options, end: options.end ?? null })) {
      const matches = columns.pop();
      const row = columns as unknown as HistoryRow;
      expected += 1;
      if (row[0] !== expected || !this.isWhole(row)) throw this.#rowDamaged(expected);
      if (matches) yield this.#event(row);
    }
    if (expected < options.through) throw this.#rowDamaged(expected + 1);
  }

  /** Like `events` through the latest revision, for a range with few rows: reads no rows of other keys. */
  *eventsOfKeys(changes: KeyChanges): Generator<EventRow> {
    const revisions = this.#changesByKey.all(changes);
    const others = this.#changesByVersion.all(changes);
    if (revisions.length !== others.length || revisions.some((revision, at) => revision !== others[at])) {
      throw this.#indexDamaged();
    }
    for (const revision of revisions) {
      const row = this.#row.get(revision);
      const isOfRange = row && this.isWhole(row) && order(changes.start, row[1] as string) <= 0;
      if (!isOfRange || order(row[1] as string, changes.end) >= 0) throw this.#rowDamaged(revision);
      yield this.#event(row);
    }
  }

  /** Whether key and revisions of the row are those that were written. */
  isWhole(row: HistoryRow): boolean {
    const [revision, , , , rowChecksum] = row;
    if (rowChecksum === null) return typeof revision === 'number' && revision <= this.#legacy;
    return rowChecksumOf(identityOf(row)) === rowChecksum;
  }

  #event(row: HistoryRow): EventRow {
    const [revision, key, , previousRevision] = row as [number, string, number, number, ...unknown[]];
    return {
      revision,
      key,
      version: versionOf(row as WholeRow),
      previous: previousRevision > 0 ? this.#version(key, previousRevision) : undefined,
    };
  }

  /** Undefined for a deletion. */
  #version(key: string, revision: number): Version | undefined {
    const row = this.#row.get(revision);
    if (row === undefined) return damagedVersion(revision, integrity.rowMissing);
    if (row[0] === revision && row[1] === key && this.isWhole(row)) return versionOf(row as WholeRow);
    return damagedVersion(revision, integrity.rowChanged);
  }

  /**
   * The indexes disagree. A row that is whole shows which of them is right, except that a version is not served: which
   * other entries are missing is not known.
   */
  #resolve(key: string, claims: readonly (number | undefined)[]): Version | undefined {
    const revisions = claims.filter((revision) => revision !== undefined).sort((a, b) => b - a);
    for (const revision of revisions) {
      const row = this.#row.get(revision);
      const isOfAnother = row !== undefined && row[0] === revision && this.isWhole(row) && row[1] !== key;
      if (isOfAnother) continue;
      const isDeletion = row !== undefined && this.isWhole(row) && versionOf(row as WholeRow) === undefined;
      return isDeletion ? undefined : damagedVersion(revision, integrity.indexChanged);
    }
    return undefined;
  }

  #keysOfBoth({ start, end, revision }: RangeAt): KeyRow[] {
    const range = { start, end, revision, limit: -1 };
    const byKey = newestOf(this.#keysByKey.all(range));
    const byVersion = newestOf(this.#keysByVersion.all(range));
    const keys = Array.from(new Set([...byKey.keys(), ...byVersion.keys()])).sort(order);
    return keys.map((key) => ({ key, byKey: byKey.get(key), byVersion: byVersion.get(key) }));
  }

  #indexDamaged(): StorageError {
    return this.#damaged('an index of it does not match the other one');
  }

  #rowDamaged(revision: number): StorageError {
    return this.#damaged(`the row of revision ${revision} is missing or does not match its checksum`);
  }

  #damaged(problem: string): StorageError {
    const remedy = 'Stop the server and run keelson verify on the data directory, which says what to do';
    return new StorageError('Corrupt', `${this.#file} is damaged: ${problem}. ${remedy}`);
  }
}

export interface KeyChanges extends KeyRange {
  readonly after: number;
}

type InsertParameters = [number, string, number, number, rowChecksum: number, checksum: number | null, Buffer | null];

interface EventRange {
  readonly after: number;
  readonly through: number;
  readonly start: string;
  readonly end: string | null;
}

/** A row that has the key and the revisions that were written. */
export type WholeRow = [
  revision: number,
  key: string,
  createRevision: number,
  previousRevision: number,
  rowChecksum: unknown,
  checksum: unknown,
  value: unknown,
];

const noBytes = Buffer.alloc(0);

export function identityOf([revision, key, createRevision, previousRevision]: HistoryRow): RowIdentity {
  return { revision, key, createRevision, previousRevision };
}

/** Undefined for a deletion. */
export function versionOf(row: WholeRow): Version | undefined {
  const [modRevision, , createRevision, , , checksum, value] = row;
  // A deletion has no value.
  if (value !== null && !createRevision) return damagedVersion(modRevision, integrity.changed);
  if (Buffer.isBuffer(value)) return { modRevision, createRevision, value, integrity: checkValue(value, checksum) };
  if (value === null && !createRevision) return undefined;
  if (value === null) return { modRevision, createRevision, value: noBytes, integrity: integrity.missing };
  return { modRevision, createRevision, value: Buffer.from(String(value)), integrity: integrity.notBytes };
}

export function damagedVersion(revision: number, damage: Version['integrity']): Version {
  return { modRevision: revision, createRevision: revision, value: noBytes, integrity: damage };
}

function newestOf(rows: readonly [key: unknown, revision: number][]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const [key, revision] of rows) {
    if (typeof key === 'string') newest.set(key, Math.max(revision, newest.get(key) ?? 0));
  }
  return newest;
}

/** The order of SQLite, which is that of the bytes. */
function order(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
