import type { BoltPages, Page } from './bolt-pages.ts';

const pageHeaderBytes = 16;
const elementBytes = 16;
const bucketHeaderBytes = 16;
const isBucket = 1;
const maxDepth = 32;

/** A key and its value: views of a page, valid until the next element. */
export interface BoltElement {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly isBucket: boolean;
  /** The location for `elementAt`. The page is 0 for elements of a bucket that is stored in its parent. */
  readonly page: number;
  readonly index: number;
}

/** The elements of the tree below a page, in key order. Each page is read at most once, even if the file is damaged. */
export function treeElements(pages: BoltPages, root: number): Generator<BoltElement> {
  return below(pages, { number: root, depth: 0, visited: new VisitedPages(pages) });
}

interface Position {
  readonly number: number;
  readonly depth: number;
  readonly visited: VisitedPages;
}

function* below(pages: BoltPages, { number, depth, visited }: Position): Generator<BoltElement> {
  if (depth > maxDepth) throw pages.damage('its tree is too deep');
  const page = pages.read(number);
  visited.add(number, page);
  if (page.type === 'leaf') {
    for (let index = 0; index < page.count; index++) yield leafElement(pages, page, { number, index });
    return;
  }
  for (const child of children(pages, page)) yield* below(pages, { number: child, depth: depth + 1, visited });
}

/** Reads one element of a leaf page again. */
export function elementAt(pages: BoltPages, { page: number, index }: { page: number; index: number }): BoltElement {
  const page = pages.read(number);
  if (page.type !== 'leaf' || index >= page.count) throw pages.damage(`page ${number} has changed`);
  return leafElement(pages, page, { number, index });
}

/** The elements of a bucket in the root bucket. Empty if the bucket does not exist. */
export function* bucketElements(pages: BoltPages, name: string): Generator<BoltElement> {
  const header = bucketHeader(pages, name);
  if (header === undefined) return;
  const root = Number(header.readBigUInt64LE(0));
  if (root !== 0) {
    yield* treeElements(pages, root);
    return;
  }
  // A small bucket is a leaf page within its parent.
  const bytes = header.subarray(bucketHeaderBytes);
  if (bytes.length < pageHeaderBytes) throw pages.damage(`the bucket ${name} is incomplete`);
  const page: Page = { type: 'leaf', count: bytes.readUInt16LE(10), bytes };
  for (let index = 0; index < page.count; index++) yield leafElement(pages, page, { number: 0, index });
}

function bucketHeader(pages: BoltPages, name: string): Buffer | undefined {
  const wanted = Buffer.from(name);
  for (const { key, value, isBucket: isNested } of treeElements(pages, pages.root)) {
    if (!isNested || !key.equals(wanted)) continue;
    if (value.length < bucketHeaderBytes) throw pages.damage(`the bucket ${name} is incomplete`);
    return Buffer.from(value);
  }
  return undefined;
}

/** A copy, because reading the children reuses the memory of the page. */
function children(pages: BoltPages, { bytes, count }: Page): number[] {
  checkElements(pages, { bytes, count });
  return Array.from({ length: count }, (_, index) =>
    Number(bytes.readBigUInt64LE(pageHeaderBytes + index * elementBytes + 8)),
  );
}

function leafElement(pages: BoltPages, { bytes, count }: Page, at: { number: number; index: number }): BoltElement {
  checkElements(pages, { bytes, count });
  const start = pageHeaderBytes + at.index * elementBytes;
  const keyStart = start + bytes.readUInt32LE(start + 4);
  const valueStart = keyStart + bytes.readUInt32LE(start + 8);
  const valueEnd = valueStart + bytes.readUInt32LE(start + 12);
  if (valueEnd > bytes.length) throw pages.damage(`an element of page ${at.number} is outside of it`);
  return {
    key: bytes.subarray(keyStart, valueStart),
    value: bytes.subarray(valueStart, valueEnd),
    isBucket: (bytes.readUInt32LE(start) & isBucket) !== 0,
    page: at.number,
    index: at.index,
  };
}

function checkElements(pages: BoltPages, { bytes, count }: { bytes: Buffer; count: number }): void {
  if (pageHeaderBytes + count * elementBytes > bytes.length) throw pages.damage('a page has too many elements');
}

/** Detects repeated pages: a damaged tree may lead to the same page again and again. */
class VisitedPages {
  readonly #pages: BoltPages;
  readonly #bits: Uint8Array;

  constructor(pages: BoltPages) {
    this.#pages = pages;
    this.#bits = new Uint8Array(Math.ceil(pages.count / 8));
  }

  add(number: number, page: Page): void {
    const end = number + this.#pages.span(page);
    for (let one = number; one < end; one++) {
      const bit = 1 << (one & 7);
      if (((this.#bits[one >> 3] ?? 0) & bit) !== 0) throw this.#pages.damage(`page ${one} is used twice`);
      this.#bits[one >> 3]! |= bit;
    }
  }
}
