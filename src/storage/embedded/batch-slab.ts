import type { Change } from '../storage.ts';

// Per change: expected revision, bytes of the key, bytes of the value (-1 for a deletion). The numbers of all changes come
// first, then key and value of each change.
const NUMBERS = 3;
const NUMBER_BYTES = NUMBERS * Float64Array.BYTES_PER_ELEMENT;
const DELETION = -1;
const FIRST_SIZE = 256 * 1024;

/**
 * The memory in which a batch goes to the worker. It is shared and used again for every batch, because a fresh block per
 * batch costs more to clear and hand over than the copying. So a batch may be packed only after the one before was answered.
 */
export class BatchSlab {
  #memory = new SharedArrayBuffer(0);
  #numbers = new Float64Array(this.#memory);
  #bytes = Buffer.from(this.#memory);

  /** Returns the memory when the worker has not seen it yet, because the batch needed a larger one. */
  pack(changes: readonly Change[]): SharedArrayBuffer | undefined {
    const grown = this.#reserve(changes.reduce((sum, change) => sum + packedSize(change), 0));
    let slot = 0;
    let offset = changes.length * NUMBER_BYTES;
    for (const { key, expected, value } of changes) {
      const keyBytes = this.#bytes.write(key, offset);
      offset += keyBytes;
      if (value) this.#bytes.set(value, offset);
      offset += value?.length ?? 0;
      this.#numbers[slot] = expected;
      this.#numbers[slot + 1] = keyBytes;
      this.#numbers[slot + 2] = value?.length ?? DELETION;
      slot += NUMBERS;
    }
    return grown;
  }

  #reserve(size: number): SharedArrayBuffer | undefined {
    if (size <= this.#memory.byteLength) return undefined;
    let capacity = FIRST_SIZE;
    while (capacity < size) capacity *= 2;
    this.#memory = new SharedArrayBuffer(capacity);
    this.#numbers = new Float64Array(this.#memory);
    this.#bytes = Buffer.from(this.#memory);
    return this.#memory;
  }
}

/** An upper bound of what the change takes in a slab. */
export function packedSize({ key, value }: Change): number {
  return NUMBER_BYTES + key.length * 3 + (value?.length ?? 0);
}

/** The values are views of the slab, which belong to the reader until the batch is answered. */
export function unpackBatch(slab: SharedArrayBuffer, count: number): Change[] {
  const numbers = new Float64Array(slab, 0, count * NUMBERS);
  const bytes = Buffer.from(slab);
  const changes: Change[] = [];
  let offset = count * NUMBER_BYTES;
  for (let slot = 0; slot < numbers.length; slot += NUMBERS) {
    const keyEnd = offset + (numbers[slot + 1] ?? 0);
    const key = bytes.toString('utf8', offset, keyEnd);
    const valueBytes = numbers[slot + 2] ?? DELETION;
    offset = valueBytes === DELETION ? keyEnd : keyEnd + valueBytes;
    const value = valueBytes === DELETION ? undefined : bytes.subarray(keyEnd, offset);
    changes.push({ key, expected: numbers[slot] ?? 0, value });
  }
  return changes;
}
