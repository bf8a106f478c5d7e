import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { keyOrder } from '../key-order.ts';
import { checkNotCompacted, checkNotFuture, closedError } from '../preconditions.ts';
import {
  type CommitResult,
  type RangeOptions,
  type RangeResult,
  type Storage,
  StorageError,
  type StoredEntry,
} from '../storage.ts';
import { bucketElements, elementAt } from './bolt-bucket.ts';
import { BoltPages } from './bolt-pages.ts';
import { readKeyValue } from './key-value-message.ts';

/** `etcdctl snapshot save` appends the hash of the database, whose size is a multiple of 512. */
const hashBytes = 32;
const sectorBytes = 512;
const revisionBytes = 17;
const tombstone = 0x74;
const metaMagic = 0xed0cdaed;

interface Item {
  readonly key: string;
  /** The sort key, see `keyOrder`. */
  readonly order: string;
  readonly location: ValueLocation;
}

/** The location of the newest change of a key. Changes in an inlined bucket, which has no pages, are copied. */
type ValueLocation = { readonly page: number; readonly index: number } | { readonly message: Buffer };

/** Whether the file begins like a database of etcd. */
export async function isSnapshotFile(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(20), 0, 20, 0);
    return bytesRead === 20 && buffer.readUInt32LE(16) === metaMagic;
  } finally {
    await file.close();
  }
}

/**
 * Opens a file of `etcdctl snapshot save`, or a copy of `member/snap/db`, which has no hash. Rejects with `Corrupt`
 * when the file has another format or is damaged.
 */
export async function openSnapshot(path: string): Promise<SnapshotStorage> {
  const isHashed = await checkHash(path);
  const pages = BoltPages.open(path, (size) => (isHashed ? size - hashBytes : size));
  try {
    return new SnapshotStorage(pages, { isHashed });
  } catch (error) {
    pages.close();
    throw error;
  }
}

/** Returns whether there is a hash. */
async function checkHash(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size % sectorBytes !== hashBytes) return false;
    const expected = await lastBytes(file, size);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path, { end: size - hashBytes - 1, highWaterMark: 1024 * 1024 })) {
      hash.update(chunk as Buffer);
    }
    if (hash.digest().equals(expected)) return true;
    throw new StorageError('Corrupt', `the snapshot ${path} is damaged: it does not match the SHA-256 hash at its end`);
  } finally {
    await file.close();
  }
}

async function lastBytes(file: FileHandle, size: number): Promise<Buffer> {
  const { buffer } = await file.read(Buffer.alloc(hashBytes), 0, hashBytes, size - hashBytes);
  return buffer;
}

/**
 * The newest state in a snapshot. It cannot be changed and has no history. Only the keys are kept in memory; values are
 * read on demand.
 */
export class SnapshotStorage implements Storage {
  readonly watchesLag = false;
  /** False for a file without a hash. Damage to a value may then go unnoticed. */
  readonly isHashed: boolean;
  readonly #pages: BoltPages;
  readonly #items: readonly Item[];
  readonly #revision: number;
  #isClosed = false;

  constructor(pages: BoltPages, { isHashed }: { isHashed: boolean }) {
    this.isHashed = isHashed;
    this.#pages = pages;
    const { items, revision } = newestState(pages);
    this.#items = items;
    this.#revision = Math.max(revision, compactedRevision(pages));
  }

  /** The number of keys. */
  get size(): number {
    return this.#items.length;
  }

  latestRevision(): number {
    return this.#revision;
  }

  /** Everything before the snapshot counts as compacted. */
  compactedRevision(): number {
    return this.#revision;
  }

  async get(key: string, { revision }: { revision?: number } = {}): Promise<StoredEntry | undefined> {
    this.#checkReadable(revision);
    const item = this.#items[this.#firstFrom(keyOrder(key))];
    return item?.key === key ? this.#entry(item) : undefined;
  }

  async range({ start, end, limit, revision, count }: RangeOptions): Promise<RangeResult> {
    this.#checkReadable(revision);
    const from = this.#firstFrom(keyOrder(start));
    const through = Math.max(from, this.#firstFrom(keyOrder(end)));
    const until = Math.min(through, from + (limit ?? Number.POSITIVE_INFINITY));
    return {
      revision: this.#revision,
      entries: this.#items.slice(from, until).map((item) => this.#entry(item)),
      more: until < through,
      ...(count && { count: through - from }),
    };
  }

  async commit(): Promise<CommitResult> {
    throw readOnly();
  }

  async watch(): Promise<void> {
    throw readOnly();
  }

  async compact(): Promise<void> {
    throw readOnly();
  }

  async probe(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#checkReadable(undefined);
  }

  async probeWrites(): Promise<void> {
    throw readOnly();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pages.close();
  }

  #checkReadable(revision: number | undefined): void {
    if (this.#isClosed) throw closedError();
    if (revision === undefined) return;
    checkNotCompacted(revision, this.#revision);
    checkNotFuture(revision, this.#revision);
  }

  /** The index of the first item that is not before the key. */
  #firstFrom(order: string): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#items[middle]!.order < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #entry({ key, location }: Item): StoredEntry {
    const message = readKeyValue('message' in location ? location.message : elementAt(this.#pages, location).value);
    if (message === undefined) throw this.#pages.damage(`the value of ${key} cannot be read`);
    const { createRevision, modRevision } = message;
    // Copied, because the memory of the page is reused for the next one.
    return { key, value: Buffer.from(message.value), createRevision, modRevision };
  }
}

function readOnly(): StorageError {
  return new StorageError('Unavailable', 'a snapshot cannot be changed');
}

/** etcd stores changes by revision. The last change of a key is its state. */
function newestState(pages: BoltPages): { items: Item[]; revision: number } {
  const newest = new Map<string, ValueLocation>();
  let revision = 0;
  for (const { key: name, value, page, index } of bucketElements(pages, 'key')) {
    const isDeletion = name.length === revisionBytes + 1 && name[revisionBytes] === tombstone;
    const message = name.length === revisionBytes || isDeletion ? readKeyValue(value) : undefined;
    if (message === undefined) throw pages.damage('a change cannot be read');
    revision = Math.max(revision, Number(name.readBigUInt64BE(0)));
    // Skipped, because keys of API servers are always UTF-8.
    if (!isUtf8(message.key)) continue;
    const key = message.key.toString();
    if (isDeletion) newest.delete(key);
    else newest.set(key, page === 0 ? { message: Buffer.from(value) } : { page, index });
  }
  const items = Array.from(newest, ([key, location]) => ({ key, order: keyOrder(key), location }));
  items.sort((left, right) => (left.order < right.order ? -1 : 1));
  return { items, revision };
}

/** Compaction removes deletions, even if they are the newest change of a key. */
function compactedRevision(pages: BoltPages): number {
  let revision = 0;
  for (const { key, value } of bucketElements(pages, 'meta')) {
    const name = key.toString('latin1');
    if (!['finishedCompactRev', 'scheduledCompactRev'].includes(name) || value.length < 8) continue;
    revision = Math.max(revision, Number(value.readBigUInt64BE(0)));
  }
  return revision;
}
