import type { StoredObject } from './stored-object.ts';

const comma = 0x2c;
const openBrace = 0x7b;

/** Gives bytes to write into. */
export type Allocate = (size: number) => Buffer;

export interface ItemsOptions {
  /** Where items are made that nobody keeps. Fresh memory by default. */
  readonly allocate?: Allocate;
  /** Whether it is worth while to keep them for other readers; true by default. */
  readonly keep?: boolean;
}

/** Neighbours in a list, and their bytes as items of one. */
export class ObjectRun {
  readonly objects: readonly StoredObject[];

  constructor(objects: readonly StoredObject[]) {
    this.objects = objects;
  }

  /** The items of these objects, as `joinItems` makes them. The bytes are shared and must not be changed. */
  items(itemStart: number, { allocate }: ItemsOptions = {}): Buffer {
    const documents = this.objects.map(({ bytes }) => bytes);
    return joinItems(documents, itemStart, allocate);
  }

  /** About what the items take. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.objects) sum += bytes.length;
    return sum;
  }

  /** Its first objects. */
  first(count: number): ObjectRun {
    return new ObjectRun(this.objects.slice(0, count));
  }
}

/** What a document takes as an item, with its comma. */
export function itemSize(document: Buffer, itemStart: number): number {
  return document.length - itemStart;
}

/**
 * Documents as items of a list, each with a comma before it. `itemStart` is where a document has the comma behind its kind and
 * apiVersion, which items do not repeat. Every document ends with a line feed, which goes too.
 */
export function joinItems(
  documents: readonly Buffer[],
  itemStart: number,
  allocate: Allocate = Buffer.allocUnsafe,
): Buffer {
  let size = 0;
  for (const document of documents) size += itemSize(document, itemStart);
  const items = allocate(size);
  let at = 0;
  for (const document of documents) {
    items[at++] = comma;
    document.copy(items, at, itemStart, document.length - 1);
    // The copy begins with the comma behind the apiVersion: the brace takes its place.
    items[at] = openBrace;
    at += document.length - 1 - itemStart;
  }
  return items;
}

/** So much is made into text at a time. */
const runBytes = 256 * 1024;

/** Splits what belongs to no segment into runs of a size that can be sent at once. */
export function runsOf(objects: readonly StoredObject[]): ObjectRun[] {
  const runs: ObjectRun[] = [];
  let start = 0;
  let size = 0;
  for (let index = 0; index < objects.length; index++) {
    size += objects[index]!.bytes.length;
    if (size < runBytes && index < objects.length - 1) continue;
    runs.push(new ObjectRun(objects.slice(start, index + 1)));
    start = index + 1;
    size = 0;
  }
  return runs;
}
