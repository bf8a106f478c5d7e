import { copyBytes } from '../../streams/copy-bytes.ts';
import type { StorageEvent } from '../storage.ts';
import { entryOf } from './entry-of.ts';
import { type Integrity, integrity } from './integrity.ts';
import type { KeptSlabs } from './kept-slabs.ts';
import type { KeptValue } from './kept-values.ts';
import type { Version } from './packed-versions.ts';
import type { PublishedMessage } from './protocol.ts';

// Per event: revision, create revision, bytes of the key, bytes of the value (-1 for a deletion); of the previous entry
// the revision (0 for none), the create revision, the bytes of the value (-1 if it is left out) and the integrity; of a
// value that threads keep the slab (0 for none) and the offset. The numbers of all events come first, followed by the
// key and the values of each event, without those that are kept.
const numbersPerEvent = 10;
const eventHeaderBytes = numbersPerEvent * Float64Array.BYTES_PER_ELEMENT;
const absent = -1;
const slabBytes = 1024 * 1024;

/** A change that a batch has committed. The bytes are copied. */
export interface CommittedEvent {
  readonly key: string;
  readonly revision: number;
  readonly value: Buffer | undefined;
  readonly previous: Version | undefined;
  /** The location of the value, if threads keep it. */
  readonly kept: KeptValue | undefined;
}

/**
 * The shared memory that carries events to all threads: their bytes are written once for any number of threads. Bytes
 * are appended and never overwritten. A slab is released when no thread has a view of it.
 */
export class EventSlabs {
  #memory = new SharedArrayBuffer(0);
  #bytes = Buffer.from(this.#memory);
  #used = 0;

  /** Returns the location of the events. */
  pack(
    events: readonly CommittedEvent[],
    options: { readonly withPrevious: boolean },
  ): { readonly slab: SharedArrayBuffer; readonly offset: number; readonly bytes: number } {
    this.#reserve(events.reduce((sum, event) => sum + packedBytes(event, options), 0));
    const offset = this.#used;
    const numbers = new Float64Array(this.#memory, offset, events.length * numbersPerEvent);
    let slot = 0;
    let end = offset + events.length * eventHeaderBytes;
    const append = (value: Buffer | undefined): number => {
      if (value === undefined) return absent;
      copyBytes(value, this.#bytes, end);
      end += value.length;
      return value.length;
    };
    for (const { key, revision, value, previous, kept } of events) {
      numbers[slot] = revision;
      numbers[slot + 1] = value === undefined ? 0 : (previous?.createRevision ?? revision);
      numbers[slot + 2] = this.#bytes.write(key, end);
      end += numbers[slot + 2]!;
      numbers[slot + 3] = kept === undefined ? append(value) : kept.length;
      numbers[slot + 4] = previous?.modRevision ?? 0;
      numbers[slot + 5] = previous?.createRevision ?? 0;
      numbers[slot + 6] = options.withPrevious ? append(previous?.value) : absent;
      numbers[slot + 7] = previous?.integrity ?? integrity.intact;
      numbers[slot + 8] = kept?.slab.id ?? 0;
      numbers[slot + 9] = kept?.offset ?? 0;
      slot += numbersPerEvent;
    }
    // Numbers begin at multiples of their size.
    this.#used = Math.ceil(end / eventHeaderBytes) * eventHeaderBytes;
    return { slab: this.#memory, offset, bytes: this.#used - offset };
  }

  #reserve(size: number): void {
    if (this.#used + size <= this.#memory.byteLength) return;
    this.#memory = new SharedArrayBuffer(Math.max(slabBytes, size));
    this.#bytes = Buffer.from(this.#memory);
    this.#used = 0;
  }
}

/** An upper bound of the bytes that the event takes in a slab. */
function packedBytes(event: CommittedEvent, { withPrevious }: { withPrevious: boolean }): number {
  const { key, value, previous, kept } = event;
  const before = withPrevious ? (previous?.value.length ?? 0) : 0;
  const after = kept === undefined ? (value?.length ?? 0) : 0;
  return eventHeaderBytes + key.length * 3 + after + before;
}

/** Reads events that the storage thread has published. The values are views of the slab. */
export class PublishedEvents {
  readonly #kept: KeptSlabs;
  #bytes: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  constructor(kept: KeptSlabs) {
    this.#kept = kept;
  }

  unpack({ published: { count, offset, slab } }: PublishedMessage): StorageEvent[] {
    if (slab !== undefined) this.#bytes = Buffer.from(slab);
    const bytes = this.#bytes;
    const numbers = new Float64Array(bytes.buffer, offset, count * numbersPerEvent);
    const events: StorageEvent[] = [];
    let end = offset + count * eventHeaderBytes;
    const take = (length: number): Buffer | undefined => {
      if (length === absent) return undefined;
      end += length;
      return bytes.subarray(end - length, end);
    };
    for (let slot = 0; slot < numbers.length; slot += numbersPerEvent) {
      const keyEnd = end + numbers[slot + 2]!;
      const key = bytes.toString('utf8', end, keyEnd);
      end = keyEnd;
      const slab = numbers[slot + 8]!;
      const isKept = slab !== 0;
      const length = numbers[slot + 3]!;
      const value = isKept ? this.#kept.value(slab, numbers[slot + 9]!, length) : take(length);
      const before = take(numbers[slot + 6]!);
      events.push({
        revision: numbers[slot]!,
        key,
        value,
        isKept: isKept || undefined,
        createRevision: numbers[slot + 1]!,
        previous:
          before &&
          entryOf(key, {
            value: before,
            modRevision: numbers[slot + 4]!,
            createRevision: numbers[slot + 5]!,
            integrity: numbers[slot + 7]! as Integrity,
          }),
      });
    }
    return events;
  }
}
