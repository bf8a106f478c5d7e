/**
 * Maps prefixes to values and finds all prefixes of a given key. Adding or removing a prefix costs a sort. A lookup
 * costs a few comparisons, regardless of the number of prefixes.
 */
export class PrefixIndex<V> {
  readonly #values = new Map<string, V>();
  #nodes: Node<V>[] = [];

  get size(): number {
    return this.#values.size;
  }

  values(): Iterable<V> {
    return this.#values.values();
  }

  get(prefix: string): V | undefined {
    return this.#values.get(prefix);
  }

  set(prefix: string, value: V): void {
    this.#values.set(prefix, value);
    this.#arrange();
  }

  delete(prefix: string): void {
    if (this.#values.delete(prefix)) this.#arrange();
  }

  /** Calls back with the value of every prefix of the key, longest first. */
  forEachMatch(key: string, callback: (value: V) => void): void {
    // Every string that sorts between a prefix of the key and the key itself starts with that prefix too. So all
    // prefixes of the key are ancestors of the last prefix that does not sort after the key, or that prefix itself.
    let node = this.#lastUpTo(key);
    while (node && !key.startsWith(node.prefix)) node = node.parent;
    for (; node; node = node.parent) callback(node.value);
  }

  #lastUpTo(key: string): Node<V> | undefined {
    let low = 0;
    let high = this.#nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#nodes[middle]!.prefix <= key) low = middle + 1;
      else high = middle;
    }
    return this.#nodes[low - 1];
  }

  #arrange(): void {
    const entries = [...this.#values].sort(([left], [right]) => (left < right ? -1 : 1));
    this.#nodes = [];
    for (const [prefix, value] of entries) {
      let parent = this.#nodes.at(-1);
      while (parent && !prefix.startsWith(parent.prefix)) parent = parent.parent;
      this.#nodes.push({ prefix, value, parent });
    }
  }
}

interface Node<V> {
  readonly prefix: string;
  readonly value: V;
  /** The longest other prefix of this prefix. */
  readonly parent: Node<V> | undefined;
}
