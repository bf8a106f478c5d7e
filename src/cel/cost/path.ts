/**
 * The way from a variable to a value through the declared types.
 *
 * In kube-apiserver, paths that continue the same path share memory: of two ways that continue a path of three names,
 * the later one overwrites the last name of the earlier one. A size that is looked up after that is the one of the
 * other value, for example that of `item.name` instead of `item.list` in
 * `self.items.all(item, item.list.all(x, x != item.name))`. Which definitions are too expensive depends on it.
 */
export class Path {
  static readonly none = new Path([], 0);
  readonly #memory: string[];
  readonly #length: number;

  private constructor(memory: string[], length: number) {
    this.#memory = memory;
    this.#length = length;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get names(): readonly string[] {
    return this.#memory.slice(0, this.#length);
  }

  /** Continues the path. Memory is full when its length is a power of two, and is copied then. */
  with(name: string): Path {
    const length = this.#length;
    if ((length & (length - 1)) === 0) return this.copyWith(name);
    this.#memory[length] = name;
    return new Path(this.#memory, length + 1);
  }

  /** Continues the path in memory of its own. */
  copyWith(name: string): Path {
    return new Path([...this.names, name], this.#length + 1);
  }
}
