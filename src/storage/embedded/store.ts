import type Database from 'better-sqlite3';
import { type Change, prefixEnd } from '../storage.ts';
import { HistoryTable, type NewRow } from './history-table.ts';
import { integrity } from './integrity.ts';
import { packVersions, type Version } from './packed-versions.ts';
import {
  type CountReply,
  type CountRequest,
  type GetReply,
  type GetRequest,
  type RangeReply,
  type RangeRequest,
  type ReplayReply,
  type ReplayRequest,
  revisionOfPrevious,
} from './protocol.ts';
import type { RedoLog } from './redo-log.ts';

// A chunk limits how much one request reads before commits can run again.
const maxChunkBytes = 256 * 1024;
const maxChunkRows = 512;
const spareRows = 64;
const maxChunkRevisions = 2048;
// The index has a row for each version of a key. Rows newer than the read revision must be skipped and count too.
const maxChunkIndexRows = 4096;
/** If a range has at most this number of rows, its events are found by their keys, however many revisions there are. */
const fewIndexRows = 1024;

/** The outcome of a batch. */
export interface Committed {
  /** The revision after the batch. */
  readonly revision: number;
  /** The revision of each change; 0 for a change whose comparison failed. */
  readonly revisions: readonly number[];
  /** The version that each change found. */
  readonly found: readonly (Version | undefined)[];
}

/** A part of a range. */
export interface RangeChunk extends Pick<RangeReply, 'revision' | 'keys' | 'next'> {
  readonly versions: readonly Version[];
}

export interface StoreOptions {
  readonly compacted: number;
  /** Makes commits durable. Without it, the database itself syncs every commit. */
  readonly log?: RedoLog | undefined;
  /** Called after rows of the log have been committed to the database. */
  readonly onApplied?: ((rows: readonly NewRow[]) => void) | undefined;
}

/** The worker's view of the data: reads in bounded chunks and writes in batches, all synchronous. */
export class Store {
  readonly #database: Database.Database;
  readonly #log: RedoLog | undefined;
  readonly #onApplied: StoreOptions['onApplied'];
  readonly #history: HistoryTable;
  readonly #insert: Database.Transaction<(rows: readonly NewRow[]) => void>;
  #revision: number;
  /** Rows that are durable in the log, but not yet in the database. */
  #unapplied: readonly NewRow[] = [];

  constructor(database: Database.Database, { compacted, log, onApplied }: StoreOptions) {
    this.#database = database;
    this.#log = log;
    this.#onApplied = onApplied;
    this.#history = new HistoryTable(database);
    this.#insert = database.transaction((rows: readonly NewRow[]) => {
      for (const row of rows) this.#history.insert(row);
    });
    // The log contains all commits that the database may lose.
    if (log) database.pragma('synchronous = NORMAL');
    // Compaction removes only rows up to the compacted revision, so the larger of the two is the latest revision.
    this.#revision = Math.max(this.#history.latest(), compacted);
  }

  get revision(): number {
    return this.#revision;
  }

  /** Whether the database contains everything that the log contains. */
  get applied(): boolean {
    return this.#unapplied.length === 0;
  }

  /**
   * Commits all changes at once. They are durable on return. If it throws, no change has been committed, unless the
   * code is `OutcomeUnknown`. Call `apply` before the next operation.
   */
  commit(changes: readonly Change[]): Committed {
    const { rows, committed } = this.#decide(changes);
    if (rows.length === 0) return committed;
    const logged = this.#log?.append(rows);
    if (logged) this.#unapplied = logged;
    else this.durably(() => this.#insert.immediate(rows));
    this.#revision = committed.revision;
    return committed;
  }

  /**
   * Writes the rows of the log to the database. Separate from `commit`, so that callers that only need durability do
   * not wait for it. If it throws, the log still contains the rows, and the call can be repeated.
   */
  apply(): void {
    if (this.applied) return;
    const rows = this.#unapplied;
    this.#insert.immediate(rows);
    this.#unapplied = [];
    this.#onApplied?.(rows);
  }

  /** Runs a transaction that is durable when the call returns, without the log. */
  durably(transaction: () => void): void {
    if (this.#log) this.#database.pragma('synchronous = FULL');
    try {
      transaction();
    } finally {
      if (this.#log) this.#database.pragma('synchronous = NORMAL');
    }
  }

  get({ key, revision = this.#revision }: GetRequest): GetReply {
    return { versions: packVersions([this.#history.newest(key, revision)]) };
  }

  range(request: Omit<RangeRequest, 'keep'>): RangeReply {
    const { versions, ...chunk } = this.read(request);
    return { ...chunk, versions: packVersions(versions) };
  }

  /** Whether the key has had no later change. */
  isCurrent(key: string, revision: number): boolean {
    return this.#history.newest(key, Number.MAX_SAFE_INTEGER)?.modRevision === revision;
  }

  read({ start, end, limit, revision = this.#revision }: Omit<RangeRequest, 'keep'>): RangeChunk {
    // Reads a few extra rows, because some of the keys may be deleted.
    const rowLimit = Math.min(maxChunkRows, limit + spareRows);
    const bound = this.#chunkEnd(start, end);
    const { rows, isLimited } = this.#history.keys({ start, end: bound ?? end, revision, limit: rowLimit });
    const keys: string[] = [];
    const versions: Version[] = [];
    let bytes = 0;
    for (const row of rows) {
      if (keys.length >= limit || bytes >= maxChunkBytes) {
        return { revision, keys, versions, next: row.key };
      }
      const version = this.#history.read(row);
      if (!version) continue;
      keys.push(row.key);
      versions.push(version);
      bytes += version.value.length;
    }
    const last = rows.at(-1);
    const next = last && isLimited ? after(last.key) : bound;
    return { revision, keys, versions, next };
  }

  count({ start, end, revision }: CountRequest): CountReply {
    const next = this.#chunkEnd(start, end);
    return { count: this.#history.count({ start, end: next ?? end, revision }), next };
  }

  replay({ after, prefix }: ReplayRequest): ReplayReply {
    const revisions: number[] = [];
    const keys: string[] = [];
    const versions: (Version | undefined)[] = [];
    let bytes = 0;
    const end = prefix === '' ? undefined : prefixEnd(prefix);
    const isByKeys = end !== undefined && this.#revision - after > fewIndexRows && this.#hasFewRows(prefix, end);
    let through = isByKeys ? this.#revision : Math.min(after + maxChunkRevisions, this.#revision);
    const events = isByKeys
      ? this.#history.eventsOfKeys({ start: prefix, end, after })
      : this.#history.events({ after, through, start: prefix, end });
    for (const event of events) {
      revisions.push(event.revision);
      keys.push(event.key);
      versions.push(event.version, event.previous);
      bytes += (event.version?.value.length ?? 0) + (event.previous?.value.length ?? 0);
      if (bytes < maxChunkBytes) continue;
      through = event.revision;
      break;
    }
    return { through: Math.max(through, after), revisions, keys, versions: packVersions(versions) };
  }

  #hasFewRows(start: string, end: string): boolean {
    return this.#history.skip({ start, end, rows: fewIndexRows }) === undefined;
  }

  /** The end of the chunk that begins at `start`; undefined if the chunk reaches the end of the range. */
  #chunkEnd(start: string, end: string): string | undefined {
    const bound = this.#history.skip({ start, end, rows: maxChunkIndexRows });
    // A chunk always ends between two keys, even if one key has more rows than a chunk.
    return bound === start ? after(start) : bound;
  }

  #decide(changes: readonly Change[]): { readonly rows: readonly NewRow[]; readonly committed: Committed } {
    let revision = this.#revision;
    const revisions: number[] = [];
    const found: (Version | undefined)[] = [];
    const rows: NewRow[] = [];
    /** The results of earlier changes in the batch. */
    const changed = new Map<string, Version | undefined>();
    for (const { key, expected: wanted, value } of changes) {
      const current = changed.has(key) ? changed.get(key) : this.#history.newest(key, Number.MAX_SAFE_INTEGER);
      found.push(current);
      const expected = wanted === revisionOfPrevious ? revisions.at(-1) || undefined : wanted;
      if ((current?.modRevision ?? 0) !== expected || (!current && !value)) {
        revisions.push(0);
        continue;
      }
      revision += 1;
      revisions.push(revision);
      const createRevision = value ? (current?.createRevision ?? revision) : 0;
      rows.push({ revision, key, createRevision, previousRevision: expected, value });
      changed.set(key, value && { modRevision: revision, createRevision, value, integrity: integrity.intact });
    }
    return { rows, committed: { revision, revisions, found } };
  }
}

/** The smallest key greater than the given one. */
function after(key: string): string {
  return `${key}\0`;
}
