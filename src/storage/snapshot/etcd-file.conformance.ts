import { createHash } from 'node:crypto';

const pageSize = 4096;

/** A change as etcd stores it. Without a value it is a deletion. */
export interface EtcdChange {
  readonly revision: number;
  /** The position in its transaction. */
  readonly sub?: number;
  readonly key: string | Buffer;
  readonly createRevision?: number;
  readonly value?: Buffer | string;
}

export interface EtcdFileOptions {
  readonly changes: readonly EtcdChange[];
  readonly compacted?: number;
  /**
   * The number of changes per page. Undefined: the bucket is stored in its parent, as etcd does with very few changes.
   */
  readonly perPage?: number;
}

/** The database file of an etcd with these changes. */
export function etcdDatabase({ changes, compacted = 0, perPage }: EtcdFileOptions): Buffer {
  const file = new BoltWriter();
  const elements = changes.map((change) => ({ key: revisionOf(change), value: messageOf(change) }));
  const compaction = { key: Buffer.from('finishedCompactRev'), value: revisionBytes(compacted, 0) };
  const root = file.add(leafPage, [
    {
      key: Buffer.from('key'),
      value: perPage === undefined ? inline(elements) : file.tree(elements, perPage),
      flags: 1,
    },
    { key: Buffer.from('meta'), value: inline(compacted > 0 ? [compaction] : []), flags: 1 },
  ]);
  return file.finish(root);
}

/** Adds the hash, like `etcdctl snapshot save`. */
export function withHash(database: Buffer): Buffer {
  return Buffer.concat([database, createHash('sha256').update(database).digest()]);
}

interface Element {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly flags?: number;
}

const branchPage = 1;
const leafPage = 2;

class BoltWriter {
  readonly #pages: Buffer[] = [];

  /** Returns the number of the page. */
  add(type: number, elements: readonly Element[]): number {
    const number = 2 + this.#pages.reduce((sum, page) => sum + page.length / pageSize, 0);
    this.#pages.push(page({ number, type, elements }));
    return number;
  }

  /** Returns the header of a bucket whose elements are in separate pages. */
  tree(elements: readonly Element[], perPage: number): Buffer {
    let level = chunks(elements, perPage).map((chunk) => ({ first: chunk[0]!.key, number: this.add(leafPage, chunk) }));
    while (level.length > 1) {
      level = chunks(level, 3).map((chunk) => {
        const children = chunk.map(({ first, number }) => ({ key: first, value: uint64(number) }));
        return { first: chunk[0]!.first, number: this.add(branchPage, children) };
      });
    }
    return Buffer.concat([uint64(level[0]!.number), uint64(0)]);
  }

  finish(root: number): Buffer {
    const pages = 2 + this.#pages.reduce((sum, page) => sum + page.length / pageSize, 0);
    return Buffer.concat([metaPage(0, { root, pages }), metaPage(1, { root, pages }), ...this.#pages]);
  }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function page({ number, type, elements }: { number: number; type: number; elements: readonly Element[] }): Buffer {
  const heads: Buffer[] = [];
  const contents: Buffer[] = [];
  let offset = 16 * elements.length;
  for (const { key, value, flags = 0 } of elements) {
    const head = Buffer.alloc(16);
    // Positions count from the element itself.
    const position = offset - 16 * heads.length;
    const content = type === branchPage ? key : Buffer.concat([key, value]);
    if (type === branchPage) {
      head.writeUInt32LE(position, 0);
      head.writeUInt32LE(key.length, 4);
      value.copy(head, 8);
    } else {
      [flags, position, key.length, value.length].forEach((field, at) => void head.writeUInt32LE(field, at * 4));
    }
    heads.push(head);
    contents.push(content);
    offset += content.length;
  }
  const header = Buffer.alloc(16);
  header.writeBigUInt64LE(BigInt(number), 0);
  header.writeUInt16LE(type, 8);
  header.writeUInt16LE(elements.length, 10);
  const size = number === 0 ? 16 + offset : Math.ceil((16 + offset) / pageSize) * pageSize;
  if (number > 0) header.writeUInt32LE(size / pageSize - 1, 12);
  return Buffer.concat([header, ...heads, ...contents, Buffer.alloc(size)], size);
}

/** Returns the header of a bucket, followed by its only page. */
function inline(elements: readonly Element[]): Buffer {
  return Buffer.concat([uint64(0), uint64(0), page({ number: 0, type: leafPage, elements })]);
}

function metaPage(number: number, { root, pages }: { root: number; pages: number }): Buffer {
  const meta = Buffer.alloc(56);
  [0xed0cdaed, 2, pageSize, 0].forEach((field, at) => void meta.writeUInt32LE(field, at * 4));
  [root, 0, 0, pages, number].forEach((field, at) => void meta.writeBigUInt64LE(BigInt(field), 16 + at * 8));
  let hash = 0xcbf29ce484222325n;
  for (const byte of meta) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  const header = Buffer.alloc(16);
  header.writeBigUInt64LE(BigInt(number), 0);
  header.writeUInt16LE(4, 8);
  return Buffer.concat([header, meta, uint64(hash), Buffer.alloc(pageSize)], pageSize);
}

function uint64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function revisionBytes(main: number, sub: number): Buffer {
  const bytes = Buffer.alloc(17, '_');
  bytes.writeBigUInt64BE(BigInt(main), 0);
  bytes.writeBigUInt64BE(BigInt(sub), 9);
  return bytes;
}

function revisionOf({ revision, sub = 0, value }: EtcdChange): Buffer {
  const bytes = revisionBytes(revision, sub);
  return value === undefined ? Buffer.concat([bytes, Buffer.from('t')]) : bytes;
}

function messageOf({ revision, key, createRevision = revision, value }: EtcdChange): Buffer {
  const text = field(0x0a, Buffer.from(key));
  if (value === undefined) return text;
  const numbers = [
    [0x10, createRevision],
    [0x18, revision],
    [0x20, 1],
  ].map(([tag, number]) => Buffer.from([tag!, ...varint(number!)]));
  return Buffer.concat([text, ...numbers, field(0x2a, Buffer.from(value))]);
}

function field(tag: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 0x80))];
}
