import type { MovedValues } from '../storage.ts';
import type { KeptMessage } from './protocol.ts';

/** The numbers per kept value in a reply: the slab, the offset and the length. */
export const numbersPerLocation = 3;
/** The numbers per moved value: its revision, the slab, the offset and the length. */
export const numbersPerMove = 4;

/** The memory of `KeptValues`, as one thread sees it. */
export class KeptSlabs {
  readonly #slabs = new Map<number, Buffer<SharedArrayBuffer>>();

  /** Updates the slabs. Returns the moved and dropped values, for the caches of the thread. */
  receive({ kept: { slabs = [], moved, dropped } }: KeptMessage): MovedValues | undefined {
    for (const { id, memory } of slabs) this.#slabs.set(id, Buffer.from(memory));
    if (moved === undefined && dropped === undefined) return undefined;
    const { keys, numbers } = moved ?? { keys: [], numbers: new Float64Array(0) };
    const values = keys.map((key, index) => {
      const at = index * numbersPerMove;
      return { key, revision: numbers[at]!, value: this.value(numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!) };
    });
    const released = dropped === undefined ? undefined : this.#slabs.get(dropped)?.buffer;
    if (dropped !== undefined) this.#slabs.delete(dropped);
    return { values, released };
  }

  /** A view of a value. It stays valid when the slab is dropped. */
  value(slab: number, offset: number, length: number): Buffer {
    return this.#slabs.get(slab)!.subarray(offset, offset + length);
  }
}
