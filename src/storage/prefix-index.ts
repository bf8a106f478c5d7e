/**
 * Maps prefixes to values and finds all prefixes of a given key. A lookup costs a few comparisons, regardless of the
 * number of prefixes. The first lookup after prefixes were added or removed rebuilds the index.
 */
export class PrefixIndex<V> {
  readonly #values = new Map<string, V>();
  /** In order. */
  readonly #prefixes: string[] = [];
  /** Undefined after a change. */
  #nodes: readonly Node<V>[] | undefined;

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
    if (!this.#values.has(prefix)) this.#prefixes.splice(countUpTo(prefix, this.#prefixes), 0, prefix);
    this.#values.set(prefix, value);
    this.#nodes = undefined;
  }

  delete(prefix: string): void {
    if (!this.#values.delete(prefix)) return;
    this.#prefixes.splice(countUpTo(prefix, this.#prefixes) - 1, 1);
    this.#nodes = undefined;
  }

  /** Calls back with the value of every prefix of the key, longest first. */
  forEachMatch(key: string, callback: (value: V) => void): void {
    // Every string that sorts between a prefix of the key and the key itself starts with that prefix too. Therefore all
    // prefixes of the key are ancestors of the last prefix that does not sort after the key, or that prefix itself.
    this.#nodes ??= this.#arranged();
    let node = this.#nodes[countUpTo(key, this.#prefixes) - 1];
    while (node && !key.startsWith(node.prefix)) node = node.parent;
    for (; node; node = node.parent) callback(node.value);
  }

  #arranged(): Node<V>[] {
    const nodes: Node<V>[] = [];
    for (const prefix of this.#prefixes) {
      let parent = nodes.at(-1);
      while (parent && !prefix.startsWith(parent.prefix)) parent = parent.parent;
      nodes.push({ prefix, value: this.#values.get(prefix)!, parent });
    }
    return nodes;
  }
}

/** Returns how many of the sorted prefixes do not sort after the key. */
function countUpTo(key: string, prefixes: readonly string[]): number {
  let low = 0;
  let high = prefixes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (prefixes[middle]! <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Node<V> {
  readonly prefix: string;
  readonly value: V;
  /** The longest other prefix of this prefix. */
  readonly parent: Node<V> | undefined;
}
