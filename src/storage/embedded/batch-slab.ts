import { copyBytes } from '../../streams/copy-bytes.ts';
import type { Change } from '../storage.ts';

// Per change: expected revision, key length in bytes, value length in bytes (-1 for a deletion). The numbers of all
// changes come first, followed by the key and value of each change.
const numbersPerChange = 3;
const changeHeaderBytes = numbersPerChange * Float64Array.BYTES_PER_ELEMENT;
const deletion = -1;
const initialSize = 256 * 1024;

/**
 * The memory that passes a batch to the worker. It is shared and reused for every batch, because clearing and
 * transferring a new block per batch costs more than the copy. A batch must therefore not be packed before the previous
 * one has been answered.
 */
export class BatchSlab {
  #memory = new SharedArrayBuffer(0);
  #numbers = new Float64Array(this.#memory);
  #bytes = Buffer.from(this.#memory);

  /** Returns the memory if the worker does not have it yet, because the batch needed a larger block. */
  pack(changes: readonly Change[]): SharedArrayBuffer | undefined {
    const grown = this.#reserve(changes.reduce((sum, change) => sum + packedSize(change), 0));
    let slot = 0;
    let offset = changes.length * changeHeaderBytes;
    for (const { key, expected, value } of changes) {
      const keyBytes = this.#bytes.write(key, offset);
      offset += keyBytes;
      if (value !== undefined) copyBytes(value, this.#bytes, offset);
      offset += value?.length ?? 0;
      this.#numbers[slot] = expected;
      this.#numbers[slot + 1] = keyBytes;
      this.#numbers[slot + 2] = value?.length ?? deletion;
      slot += numbersPerChange;
    }
    return grown;
  }

  #reserve(size: number): SharedArrayBuffer | undefined {
    if (size <= this.#memory.byteLength) return undefined;
    let capacity = initialSize;
    while (capacity < size) capacity *= 2;
    this.#memory = new SharedArrayBuffer(capacity);
    this.#numbers = new Float64Array(this.#memory);
    this.#bytes = Buffer.from(this.#memory);
    return this.#memory;
  }
}

/** An upper bound of the bytes that the change takes in a slab. */
export function packedSize({ key, value }: Change): number {
  return changeHeaderBytes + key.length * 3 + (value?.length ?? 0);
}

/** The values are views of the slab, valid until the batch is answered. */
export function unpackBatch(slab: SharedArrayBuffer, count: number): Change[] {
  const numbers = new Float64Array(slab, 0, count * numbersPerChange);
  const bytes = Buffer.from(slab);
  const changes: Change[] = [];
  let offset = count * changeHeaderBytes;
  for (let slot = 0; slot < numbers.length; slot += numbersPerChange) {
    const keyEnd = offset + (numbers[slot + 1] ?? 0);
    const key = bytes.toString('utf8', offset, keyEnd);
    const valueBytes = numbers[slot + 2] ?? deletion;
    offset = valueBytes === deletion ? keyEnd : keyEnd + valueBytes;
    const value = valueBytes === deletion ? undefined : bytes.subarray(keyEnd, offset);
    changes.push({ key, expected: numbers[slot] ?? 0, value });
  }
  return changes;
}
