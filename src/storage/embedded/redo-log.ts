import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { copyBytes } from '../../streams/copy-bytes.ts';
import { fileFailure } from '../file-failure.ts';
import { StorageError } from '../storage.ts';
import { syncDirectory } from './durable-directory.ts';
import type { NewRow } from './history-table.ts';

const format = 'keelson redo log 1\n';
/** One block of the disk, so that no record shares a block with the header. */
const headerBytes = 4096;
/**
 * The log grows by this much, filled with zeros, because writing into allocated blocks is much cheaper than appending.
 */
const growthBytes = 256 * 1024;
const defaultMaxBytes = 4 * 1024 * 1024;

// A record: checksum of all that follows, length, generation, number of rows. Then, for each row: its three revisions,
// the lengths of key and value, key and value.
const recordHeaderBytes = 16;
const rowHeaderBytes = 3 * 8 + 2 * 4;
const deletion = -1;

export interface RedoLogOptions {
  /** Created by the first append. */
  readonly path: string;
  /** Whether the database can store that many bytes. The log must not contain data that the database may reject. */
  readonly databaseHasRoom: (bytes: number) => boolean;
  /** Makes everything durable that has been committed to the database. Called before records are overwritten. */
  readonly syncDatabase: () => void;
  readonly maxBytes?: number;
}

/**
 * Makes commits durable before the database has them. Syncing a record in a preallocated file takes a tenth of the time
 * that SQLite needs to sync a transaction. The database is therefore written without syncing, and commits that it loses
 * in a power failure are replayed from the log at the next open.
 *
 * Records are written one after another. At the end of the file the database is synced, and the first records are
 * overwritten. Each pass has its own generation, which distinguishes its records from older ones that follow them.
 */
export class RedoLog {
  readonly #options: RedoLogOptions;
  readonly #maxBytes: number;
  #descriptor: number | undefined;
  #allocated = 0;
  #offset = headerBytes;
  #generation = 1;
  #usable = true;
  #record = Buffer.alloc(0);

  constructor(options: RedoLogOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes;
  }

  /**
   * Returns copies of the rows, valid until the next append, once they are durable. Returns undefined when they do not
   * fit into the log. All rows of earlier appends must have been committed to the database.
   */
  append(rows: readonly NewRow[]): readonly NewRow[] | undefined {
    const size = rows.reduce((sum, row) => sum + maxRowBytes(row), recordHeaderBytes);
    // Larger batches would soon need another pass and gain little.
    if (!this.#usable || size > this.#maxBytes / 4 || !this.#options.databaseHasRoom(size)) return undefined;
    const descriptor = this.#reserve(size);
    if (descriptor === undefined) return undefined;
    if (this.#record.length < size) this.#record = Buffer.allocUnsafeSlow(Math.max(size, growthBytes));
    const written = packRecord(this.#record, rows, this.#generation);
    // An incomplete record is ignored. The next one overwrites it.
    if (!succeeds(() => writeWhole(descriptor, this.#record.subarray(0, written), this.#offset))) return undefined;
    try {
      fdatasyncSync(descriptor);
    } catch (cause) {
      this.#usable = false;
      throw this.#revoke(descriptor, cause);
    }
    this.#offset += written;
    return unpackRows(this.#record.subarray(recordHeaderBytes, written), rows.length);
  }

  /**
   * Writes and syncs what the file begins with, to test whether commits can be made durable. Returns false if they do
   * not use the log, or not yet.
   */
  probe(): boolean {
    if (!this.#usable || this.#descriptor === undefined) return false;
    try {
      writeWhole(this.#descriptor, Buffer.from(format), 0);
      fdatasyncSync(this.#descriptor);
      return true;
    } catch (cause) {
      this.#usable = false;
      throw fileFailure(cause, this.#options.path);
    }
  }

  /** Overwrites all records. All rows must have been committed to the database. */
  erase(): void {
    if (this.#descriptor === undefined) return;
    this.#restart();
    writeWhole(this.#descriptor, Buffer.alloc(this.#allocated - headerBytes), headerBytes);
    fdatasyncSync(this.#descriptor);
  }

  /** Closes the file, and removes it unless it is still needed. */
  close({ keep }: { readonly keep: boolean }): void {
    this.#usable = false;
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    if (!keep) rmSync(this.#options.path, { force: true });
  }

  /** Allocates space for a record at the offset. Undefined when there is none, for example on a full disk. */
  #reserve(size: number): number | undefined {
    try {
      this.#descriptor ??= this.#create();
      if (this.#offset + size > this.#maxBytes) this.#restart();
      const end = this.#offset + size;
      if (end > this.#allocated) this.#grow(this.#descriptor, Math.ceil(end / growthBytes) * growthBytes);
      return this.#descriptor;
    } catch {
      return undefined;
    }
  }

  /** Begins a new pass. If the database cannot be synced, the log keeps its records until the next open. */
  #restart(): void {
    try {
      this.#options.syncDatabase();
    } catch (error) {
      this.#usable = false;
      throw error;
    }
    this.#generation += 1;
    this.#offset = headerBytes;
  }

  #create(): number {
    const descriptor = openSync(this.#options.path, 'w+', 0o600);
    try {
      writeWhole(descriptor, Buffer.from(format), 0);
      this.#grow(descriptor, growthBytes, format.length);
      syncDirectory(dirname(this.#options.path));
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  #grow(descriptor: number, size: number, from = this.#allocated): void {
    writeWhole(descriptor, Buffer.alloc(size - from), from);
    fsyncSync(descriptor);
    this.#allocated = size;
  }

  /** Called after a failed sync. The record may have reached the disk, and the next open would then find it. */
  #revoke(descriptor: number, cause: unknown): StorageError {
    const isRevoked = succeeds(() => {
      writeWhole(descriptor, Buffer.alloc(recordHeaderBytes), this.#offset);
      fdatasyncSync(descriptor);
    });
    const { message } = fileFailure(cause, this.#options.path) as Error;
    return new StorageError(isRevoked ? 'Unavailable' : 'OutcomeUnknown', message, { cause });
  }
}

/** The rows of all complete records of the latest pass, in order. Empty if there is no log. */
export function readRedoLog(path: string): NewRow[] {
  const log = contentOf(path);
  // The header is durable before the first record is written.
  if (log === undefined || log.length < headerBytes || log.subarray(0, format.length).every((byte) => byte === 0)) {
    return [];
  }
  if (log.toString('latin1', 0, format.length) !== format) {
    throw new StorageError('Corrupt', `${path} has a format that this version does not understand`);
  }
  const rows: NewRow[] = [];
  let generation: number | undefined;
  for (let offset = headerBytes; offset + recordHeaderBytes <= log.length; ) {
    const length = log.readUInt32LE(offset + 4);
    const record = log.subarray(offset, offset + length);
    if (length < recordHeaderBytes || record.length < length) break;
    if (crc32(record.subarray(4)) !== record.readUInt32LE(0)) break;
    generation ??= record.readUInt32LE(8);
    if (record.readUInt32LE(8) !== generation) break;
    rows.push(...unpackRows(record.subarray(recordHeaderBytes), record.readUInt32LE(12)));
    offset += length;
  }
  return rows;
}

function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function maxRowBytes({ key, value }: NewRow): number {
  return rowHeaderBytes + key.length * 3 + (value?.length ?? 0);
}

function packRecord(record: Buffer, rows: readonly NewRow[], generation: number): number {
  let offset = recordHeaderBytes;
  for (const { revision, createRevision, previousRevision, key, value } of rows) {
    const keyBytes = record.write(key, offset + rowHeaderBytes);
    record.writeDoubleLE(revision, offset);
    record.writeDoubleLE(createRevision, offset + 8);
    record.writeDoubleLE(previousRevision, offset + 16);
    record.writeInt32LE(keyBytes, offset + 24);
    record.writeInt32LE(value?.length ?? deletion, offset + 28);
    offset += rowHeaderBytes + keyBytes;
    if (value === undefined) continue;
    copyBytes(value, record, offset);
    offset += value.length;
  }
  record.writeUInt32LE(offset, 4);
  record.writeUInt32LE(generation, 8);
  record.writeUInt32LE(rows.length, 12);
  record.writeUInt32LE(crc32(record.subarray(4, offset)), 0);
  return offset;
}

/** The values are views of the bytes. */
function unpackRows(bytes: Buffer, count: number): NewRow[] {
  const rows: NewRow[] = [];
  let offset = 0;
  for (let index = 0; index < count; index += 1) {
    const keyStart = offset + rowHeaderBytes;
    const keyEnd = keyStart + bytes.readInt32LE(offset + 24);
    const valueBytes = bytes.readInt32LE(offset + 28);
    const end = keyEnd + Math.max(valueBytes, 0);
    rows.push({
      revision: bytes.readDoubleLE(offset),
      createRevision: bytes.readDoubleLE(offset + 8),
      previousRevision: bytes.readDoubleLE(offset + 16),
      key: bytes.toString('utf8', keyStart, keyEnd),
      value: valueBytes === deletion ? undefined : bytes.subarray(keyEnd, end),
    });
    offset = end;
  }
  return rows;
}

function writeWhole(descriptor: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
}
