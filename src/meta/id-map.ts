const free = -1;
const initialCapacity = 8;
/** 2^32 divided by the golden ratio: multiples of it spread consecutive ids evenly. */
const spread = 0x9e3779b1;

/**
 * Values by ids that are not negative, for objects that live as briefly as a request.
 *
 * A `Map` or `Set` replaces its table after some insertions and deletions, and the old table keeps references to its
 * values and to its successor. Once V8 has moved a table to the old generation, all its successors and their values are
 * moved there too, although they are garbage: each collection becomes several times as expensive. This map reuses its
 * table.
 */
export class IdMap<Value> {
  /** The id of each value, or `free`. Values are in the first free place from the one that `#placeOf` returns. */
  #ids: number[] = new Array(initialCapacity).fill(free);
  #values: (Value | undefined)[] = new Array(initialCapacity).fill(undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: number): Value | undefined {
    const at = this.#find(id);
    return this.#ids[at] === id ? this.#values[at] : undefined;
  }

  set(id: number, value: Value): void {
    const at = this.#find(id);
    if (this.#ids[at] === free) {
      if (this.#size * 2 >= this.#ids.length) {
        this.#grow();
        this.set(id, value);
        return;
      }
      this.#ids[at] = id;
      this.#size++;
    }
    this.#values[at] = value;
  }

  delete(id: number): boolean {
    const ids = this.#ids;
    const values = this.#values;
    const mask = ids.length - 1;
    let hole = this.#find(id);
    if (ids[hole] !== id) return false;
    // Later values move up, so that every value can be reached from its place without passing a free one.
    for (let at = (hole + 1) & mask; ids[at] !== free; at = (at + 1) & mask) {
      const distance = (at - this.#placeOf(ids[at]!)) & mask;
      if (distance < ((at - hole) & mask)) continue;
      ids[hole] = ids[at]!;
      values[hole] = values[at];
      hole = at;
    }
    ids[hole] = free;
    values[hole] = undefined;
    this.#size--;
    return true;
  }

  /** The present values, in no particular order. */
  values(): Value[] {
    return this.#values.filter((_, at) => this.#ids[at] !== free) as Value[];
  }

  /** The place of the id, or the free one where it belongs. */
  #find(id: number): number {
    const ids = this.#ids;
    const mask = ids.length - 1;
    let at = this.#placeOf(id);
    while (ids[at] !== id && ids[at] !== free) at = (at + 1) & mask;
    return at;
  }

  #placeOf(id: number): number {
    return Math.imul(id, spread) >>> (Math.clz32(this.#ids.length) + 1);
  }

  #grow(): void {
    const ids = this.#ids;
    const values = this.#values;
    const capacity = ids.length * 2;
    this.#ids = new Array(capacity).fill(free);
    this.#values = new Array(capacity).fill(undefined);
    this.#size = 0;
    ids.forEach((id, at) => {
      if (id !== free) this.set(id, values[at]!);
    });
  }
}
