import type { StoredObject } from './stored-object.ts';

const comma = 0x2c;
const openBrace = 0x7b;

/** Allocates a buffer to write into. */
export type Allocate = (size: number) => Buffer;

export interface ItemsOptions {
  /** Allocates the memory for items that are not cached. Fresh memory by default. */
  readonly allocate?: Allocate;
  /** Whether to cache the items for other readers; true by default. */
  readonly keep?: boolean;
}

/** Adjacent objects of a list, which can be encoded as list items. */
export class ObjectRun {
  readonly objects: readonly StoredObject[];

  constructor(objects: readonly StoredObject[]) {
    this.objects = objects;
  }

  /** Identifies the run while other lists get the same run. Undefined if it was created for one list. */
  get identity(): object | undefined {
    return undefined;
  }

  /** The objects encoded by `joinItems`. The bytes are shared and must not be modified. */
  items(itemStart: number, { allocate }: ItemsOptions = {}): Buffer {
    let size = 0;
    for (const object of this.objects) size += itemSize(object, itemStart);
    const items = (allocate ?? Buffer.allocUnsafe)(size);
    let at = 0;
    for (const object of this.objects) {
      items[at++] = comma;
      const copied = object.copyTo(items, at, itemStart);
      // The copy begins with the comma after apiVersion, which the opening brace replaces.
      items[at] = openBrace;
      at += copied;
    }
    return items;
  }

  /** The approximate encoded size of the items. */
  get bytes(): number {
    let sum = 0;
    for (const { size } of this.objects) sum += size;
    return sum;
  }

  /** A run of the first `count` objects. */
  first(count: number): ObjectRun {
    return new ObjectRun(this.objects.slice(0, count));
  }
}

/** The bytes that an object takes as a list item, including its comma. */
export function itemSize({ size }: StoredObject, itemStart: number): number {
  return size - itemStart;
}

/**
 * Encodes documents as list items, each preceded by a comma. `itemStart` is the offset of the comma after kind and
 * apiVersion, which list items do not repeat. The line feed at the end of every document is also removed.
 */
export function joinItems(
  documents: readonly Buffer[],
  itemStart: number,
  allocate: Allocate = Buffer.allocUnsafe,
): Buffer {
  let size = 0;
  for (const document of documents) size += document.length - itemStart;
  const items = allocate(size);
  let at = 0;
  for (const document of documents) {
    items[at++] = comma;
    document.copy(items, at, itemStart, document.length - 1);
    items[at] = openBrace;
    at += document.length - 1 - itemStart;
  }
  return items;
}

/** Maximum bytes to encode at a time. */
const maxRunBytes = 256 * 1024;

/** Groups objects that are not part of a segment into runs small enough to be sent in one piece. */
export function runsOf(objects: readonly StoredObject[]): ObjectRun[] {
  const runs: ObjectRun[] = [];
  let start = 0;
  let size = 0;
  for (let index = 0; index < objects.length; index++) {
    size += objects[index]!.size;
    if (size < maxRunBytes && index < objects.length - 1) continue;
    runs.push(new ObjectRun(objects.slice(start, index + 1)));
    start = index + 1;
    size = 0;
  }
  return runs;
}
