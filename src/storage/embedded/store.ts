import type Database from 'better-sqlite3';
import { type Change, prefixEnd } from '../storage.ts';
import { HistoryTable } from './history-table.ts';
import { packVersions, type Version } from './packed-versions.ts';
import type {
  CommitReply,
  CountReply,
  CountRequest,
  GetReply,
  GetRequest,
  RangeReply,
  RangeRequest,
  ReplayReply,
  ReplayRequest,
} from './protocol.ts';

// A chunk limits how much one request reads before commits can run again.
const maxChunkBytes = 256 * 1024;
const maxChunkRows = 512;
const spareRows = 64;
const maxChunkRevisions = 2048;
// The index has a row for each version of a key. Rows newer than the read revision must be skipped and count too.
const maxChunkIndexRows = 4096;

/** The worker's view of the data: reads in bounded chunks and writes in batches, all synchronous. */
export class Store {
  readonly #history: HistoryTable;
  readonly #transaction: Database.Transaction<(changes: readonly Change[]) => CommitReply>;
  #revision: number;

  constructor(database: Database.Database, compacted: number) {
    this.#history = new HistoryTable(database);
    this.#transaction = database.transaction((changes: readonly Change[]) => this.#apply(changes));
    // Compaction removes only rows up to the compacted revision, so the larger of the two is the latest revision.
    this.#revision = Math.max(this.#history.latest(), compacted);
  }

  get revision(): number {
    return this.#revision;
  }

  /** Writes all changes in one transaction, which is durable on return. If it throws, no change has been applied. */
  commit(changes: readonly Change[]): CommitReply {
    const reply = this.#transaction.immediate(changes);
    this.#revision = reply.revision;
    return reply;
  }

  get({ key, revision = this.#revision }: GetRequest): GetReply {
    return { versions: packVersions([this.#history.newest(key, revision)]) };
  }

  range({ start, end, limit, revision = this.#revision }: RangeRequest): RangeReply {
    // Reads a few extra rows, because some of the keys may be deleted.
    const rowLimit = Math.min(maxChunkRows, limit + spareRows);
    const bound = this.#chunkEnd(start, end);
    const rows = this.#history.keys({ start, end: bound ?? end, revision, limit: rowLimit });
    const keys: string[] = [];
    const versions: Version[] = [];
    let bytes = 0;
    for (const row of rows) {
      if (keys.length >= limit || bytes >= maxChunkBytes) {
        return { revision, keys, versions: packVersions(versions), next: row.key };
      }
      const version = this.#history.written(row.revision);
      if (!version) continue;
      keys.push(row.key);
      versions.push(version);
      bytes += version.value.length;
    }
    const last = rows.at(-1);
    const next = last && rows.length === rowLimit ? after(last.key) : bound;
    return { revision, keys, versions: packVersions(versions), next };
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
    let through = Math.min(after + maxChunkRevisions, this.#revision);
    const end = prefix === '' ? undefined : prefixEnd(prefix);
    for (const event of this.#history.events({ after, through, start: prefix, end })) {
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

  /** The end of the chunk that begins at `start`; undefined if the chunk reaches the end of the range. */
  #chunkEnd(start: string, end: string): string | undefined {
    const bound = this.#history.skip({ start, end, rows: maxChunkIndexRows });
    // A chunk always ends between two keys, even if one key has more rows than a chunk.
    return bound === start ? after(start) : bound;
  }

  #apply(changes: readonly Change[]): CommitReply {
    let revision = this.#revision;
    let foundAny = false;
    const revisions: number[] = [];
    const found: (Version | undefined)[] = [];
    for (const { key, expected, value } of changes) {
      const current = this.#history.newest(key, Number.MAX_SAFE_INTEGER);
      found.push(current);
      if (current) foundAny = true;
      if ((current?.modRevision ?? 0) !== expected || (!current && !value)) {
        revisions.push(0);
        continue;
      }
      revision += 1;
      revisions.push(revision);
      const createRevision = value ? (current?.createRevision ?? revision) : 0;
      this.#history.insert({ revision, key, createRevision, previousRevision: expected, value });
    }
    return { revision, revisions, found: foundAny ? packVersions(found) : undefined };
  }
}

/** The smallest key greater than the given one. */
function after(key: string): string {
  return `${key}\0`;
}
