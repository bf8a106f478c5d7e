import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StorageError } from '../storage.ts';

/** The header of a page: its number, its type, the number of elements, and the number of continuation pages. */
const pageHeaderBytes = 16;
const metaBytes = 64;
const checkedMetaBytes = 56;
const magic = 0xed0cdaed;
const formatVersion = 2;
/**
 * Page sizes above this limit are invalid. By default, the largest value in etcd has 1.5 MiB, and a page has few of
 * them.
 */
const maxPageBytes = 64 * 1024 * 1024;
const minPageSize = 512;
const maxPageSize = 64 * 1024;

interface Meta {
  readonly pageSize: number;
  /** The page of the root bucket. */
  readonly root: number;
  /** The number of pages in use. */
  readonly pages: number;
  readonly transaction: bigint;
}

export type PageType = 'branch' | 'leaf';

export interface Page {
  readonly type: PageType;
  readonly count: number;
  /** The whole page with its header. Valid until the next page is read. */
  readonly bytes: Buffer;
}

/** The pages of a database file. Everything in the file is checked before it is used; problems are `Corrupt`. */
export class BoltPages {
  readonly root: number;
  readonly count: number;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #pageSize: number;
  readonly #size: number;
  #buffer: Buffer;
  /** The page in the buffer. */
  #latest: { readonly number: number; readonly page: Page } | undefined;

  /** `size` is the size of the database in the file. Other data may follow it. */
  private constructor(options: { path: string; descriptor: number; size: number; meta: Meta }) {
    const { path, descriptor, size, meta } = options;
    this.root = meta.root;
    this.count = meta.pages;
    this.#path = path;
    this.#descriptor = descriptor;
    this.#pageSize = meta.pageSize;
    this.#size = size;
    this.#buffer = Buffer.alloc(meta.pageSize);
    if (meta.pages * meta.pageSize > size) throw this.damage('it has been cut off');
  }

  static open(path: string, sizeOf: (fileSize: number) => number): BoltPages {
    const descriptor = openSync(path, 'r');
    try {
      const size = sizeOf(fstatSync(descriptor).size);
      const meta = newestMeta(descriptor);
      if (meta === undefined) throw new StorageError('Corrupt', `${path} is not a snapshot of etcd`);
      return new BoltPages({ path, descriptor, size, meta });
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** Reads a branch or leaf page. */
  read(number: number): Page {
    if (this.#latest?.number === number) return this.#latest.page;
    this.#latest = undefined;
    if (number < 2 || number >= this.count) throw this.damage(`page ${number} does not exist`);
    this.#fill(number, 0, this.#pageSize);
    const header = this.#buffer;
    const overflow = header.readUInt32LE(12);
    const flags = header.readUInt16LE(8);
    if (header.readBigUInt64LE(0) !== BigInt(number)) throw this.damage(`page ${number} is another one`);
    if (flags !== 1 && flags !== 2) throw this.damage(`page ${number} is of another type`);
    const length = (overflow + 1) * this.#pageSize;
    if (length > maxPageBytes || number + overflow >= this.count) throw this.damage(`page ${number} is too long`);
    if (overflow > 0) this.#fill(number, this.#pageSize, length);
    const type = flags === 1 ? 'branch' : 'leaf';
    const page: Page = { type, count: header.readUInt16LE(10), bytes: this.#buffer.subarray(0, length) };
    this.#latest = { number, page };
    return page;
  }

  /** Returns how many pages of the file a page occupies. */
  span({ bytes }: Page): number {
    return bytes.length / this.#pageSize;
  }

  damage(problem: string): StorageError {
    return new StorageError('Corrupt', `the snapshot ${this.#path} is damaged: ${problem}`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #fill(number: number, from: number, to: number): void {
    if (to > this.#buffer.length) {
      const larger = Buffer.alloc(to);
      this.#buffer.copy(larger, 0, 0, from);
      this.#buffer = larger;
    }
    const position = number * this.#pageSize + from;
    if (position + to - from > this.#size) throw this.damage('it has been cut off');
    for (let at = from; at < to; ) {
      const read = readSync(this.#descriptor, this.#buffer, at, to - at, number * this.#pageSize + at);
      if (read === 0) throw this.damage('it has been cut off');
      at += read;
    }
  }
}

/** Returns the valid meta page of the later transaction. A crash may have damaged the other one. */
function newestMeta(descriptor: number): Meta | undefined {
  const first = metaAt(descriptor, 0);
  if (first !== undefined) {
    const second = metaAt(descriptor, first.pageSize);
    return second !== undefined && second.transaction > first.transaction ? second : first;
  }
  for (let size = minPageSize; size <= maxPageSize; size *= 2) {
    const second = metaAt(descriptor, size);
    if (second?.pageSize === size) return second;
  }
  return undefined;
}

function metaAt(descriptor: number, position: number): Meta | undefined {
  const bytes = Buffer.alloc(metaBytes);
  const read = readSync(descriptor, bytes, 0, metaBytes, position + pageHeaderBytes);
  if (read < metaBytes || bytes.readUInt32LE(0) !== magic || bytes.readUInt32LE(4) !== formatVersion) return undefined;
  if (bytes.readBigUInt64LE(checkedMetaBytes) !== fnv64(bytes.subarray(0, checkedMetaBytes))) return undefined;
  const pageSize = bytes.readUInt32LE(8);
  const isSize = pageSize >= minPageSize && pageSize <= maxPageSize && (pageSize & (pageSize - 1)) === 0;
  if (!isSize) return undefined;
  return {
    pageSize,
    root: Number(bytes.readBigUInt64LE(16)),
    pages: Number(bytes.readBigUInt64LE(40)),
    transaction: bytes.readBigUInt64LE(48),
  };
}

/** FNV-1a with 64 bits. */
function fnv64(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
