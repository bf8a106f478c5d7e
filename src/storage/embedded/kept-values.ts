import { copyBytes } from '../../streams/copy-bytes.ts';
import { PrefixIndex } from '../prefix-index.ts';
import { numbersPerMove } from './kept-slabs.ts';
import type { Version } from './packed-versions.ts';
import type { KeptMessage } from './protocol.ts';

const slabBytes = 1024 * 1024;
/** Values are moved only if at least this many bytes are free. */
const minFree = 2 * slabBytes;
/** Slabs with a smaller fraction of live bytes are released. */
const sparse = 3 / 4;

interface ValueSlab {
  readonly id: number;
  readonly memory: SharedArrayBuffer;
  readonly bytes: Buffer;
  used: number;
  /** The bytes of current values. */
  live: number;
  /** All values that were put into it. */
  readonly values: KeptValue[];
}

/** The location of the current value of a key. */
export interface KeptValue {
  readonly key: string;
  readonly revision: number;
  readonly slab: Pick<ValueSlab, 'id'>;
  readonly offset: number;
  readonly length: number;
}

interface LocatedValue extends KeptValue {
  readonly slab: ValueSlab;
}

/**
 * Worker side: the current values that the threads of a store keep in their caches. The bytes are stored once in shared
 * memory, and each thread has only an index.
 *
 * Bytes are appended to a slab and never overwritten. To release a slab with few current values, these values are moved
 * and all threads are notified. The memory is freed when no thread has a view of it.
 */
export class KeptValues {
  readonly #notify: (message: KeptMessage) => void;
  readonly #prefixes = new PrefixIndex<true>();
  readonly #values = new Map<string, LocatedValue>();
  readonly #slabs = new Map<number, ValueSlab>();
  #current: ValueSlab | undefined;
  /** Slabs without current values. Events that have not been sent yet may name them. */
  readonly #emptied: ValueSlab[] = [];
  #lastId = 0;
  #capacity = 0;
  #live = 0;

  /** `notify` sends a message to all threads. */
  constructor(notify: (message: KeptMessage) => void) {
    this.#notify = notify;
  }

  /** Sends the locations of all values to a new thread. */
  get slabs(): KeptMessage {
    return { kept: { slabs: [...this.#slabs.values()].map(({ id, memory }) => ({ id, memory })) } };
  }

  /** Makes the threads keep the values with the prefix from now on. */
  keep(prefix: string): void {
    if (this.#prefixes.get(prefix) === undefined) this.#prefixes.set(prefix, true);
  }

  /** Stores the value of a new revision. Returns undefined if no thread keeps it, or if the key was deleted. */
  changed(key: string, revision: number, value: Buffer | undefined): KeptValue | undefined {
    if (!this.#isKept(key)) return undefined;
    const before = this.#values.get(key);
    if (before !== undefined) this.#forget(before);
    if (value !== undefined) return this.#put(key, revision, value);
    this.#values.delete(key);
    return undefined;
  }

  /** Stores a value that was read. Returns undefined if it is not the current one. */
  found(key: string, { modRevision, value }: Version, isCurrent: () => boolean): KeptValue | undefined {
    const known = this.#values.get(key);
    if (known !== undefined) return known.revision === modRevision ? known : undefined;
    return isCurrent() ? this.#put(key, modRevision, value) : undefined;
  }

  /**
   * Releases memory: slabs without current values, and, if much of the memory is free, one sparse slab, whose values are
   * moved. Must be called when the threads have been sent the locations that `changed` returned: a value may have been
   * replaced in its own batch.
   */
  compact(): void {
    for (const slab of this.#emptied.splice(0)) this.#drop(slab);
    if (this.#capacity - this.#live <= minFree + this.#live / 2) return;
    for (const slab of this.#slabs.values()) {
      if (slab === this.#current || slab.live >= slab.memory.byteLength * sparse) continue;
      this.#release(slab);
      return;
    }
  }

  #isKept(key: string): boolean {
    let isKept = false;
    this.#prefixes.forEachMatch(key, () => {
      isKept = true;
    });
    return isKept;
  }

  #put(key: string, revision: number, value: Buffer): LocatedValue {
    const { length } = value;
    const slab = this.#slabFor(length);
    const offset = slab.used;
    copyBytes(value, slab.bytes, offset);
    slab.used += length;
    slab.live += length;
    this.#live += length;
    const placed = { key, revision, slab, offset, length };
    slab.values.push(placed);
    this.#values.set(key, placed);
    return placed;
  }

  #slabFor(length: number): ValueSlab {
    const current = this.#current;
    if (current !== undefined && current.memory.byteLength - current.used >= length) return current;
    // A large value would leave too much of the slab before it unused.
    const isOwn = length > slabBytes / 4;
    const memory = new SharedArrayBuffer(isOwn ? length : slabBytes);
    this.#lastId += 1;
    const slab: ValueSlab = { id: this.#lastId, memory, bytes: Buffer.from(memory), used: 0, live: 0, values: [] };
    this.#slabs.set(slab.id, slab);
    this.#capacity += memory.byteLength;
    this.#notify({ kept: { slabs: [{ id: slab.id, memory }] } });
    if (!isOwn) this.#current = slab;
    return slab;
  }

  #forget({ slab, length }: LocatedValue): void {
    slab.live -= length;
    this.#live -= length;
    if (slab.live === 0 && slab !== this.#current) this.#emptied.push(slab);
  }

  #release(slab: ValueSlab): void {
    const moved = slab.values
      .filter((value) => this.#values.get(value.key) === value)
      .map(({ key, revision, offset, length }) => {
        this.#live -= length;
        return this.#put(key, revision, slab.bytes.subarray(offset, offset + length));
      });
    const numbers = new Float64Array(moved.length * numbersPerMove);
    for (const [index, value] of moved.entries()) {
      numbers.set([value.revision, value.slab.id, value.offset, value.length], index * numbersPerMove);
    }
    if (moved.length > 0) this.#notify({ kept: { moved: { keys: moved.map(({ key }) => key), numbers } } });
    this.#drop(slab);
  }

  #drop(slab: ValueSlab): void {
    if (!this.#slabs.delete(slab.id)) return;
    this.#capacity -= slab.memory.byteLength;
    this.#notify({ kept: { dropped: slab.id } });
  }
}
