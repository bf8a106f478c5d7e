import type { ResourceObject } from '../meta/object.ts';

/** Returns the index keys of an object. There may be any number of them. */
export type IndexKeys<T> = (object: T) => readonly string[];

/** Objects by namespace and name, with additional indexes. */
export class ObjectTable<T extends ResourceObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): MapIterator<string> {
    return this.#objects.keys();
  }

  values(): MapIterator<T> {
    return this.#objects.values();
  }

  /** Includes the objects that are already in the table. Adding an index with an existing name has no effect. */
  addIndex(name: string, keysOf: IndexKeys<T>): void {
    if (this.#indexes.has(name)) return;
    const index = new Index(keysOf);
    for (const [key, object] of this.#objects) index.add(key, object);
    this.#indexes.set(name, index);
  }

  byIndex(name: string, indexKey: string): T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`there is no index ${name}`);
    return index.find(indexKey);
  }

  set(key: string, object: T): void {
    const before = this.#objects.get(key);
    for (const index of this.#indexes.values()) {
      if (before !== undefined) index.remove(key, before);
      index.add(key, object);
    }
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    for (const index of this.#indexes.values()) index.remove(key, before);
    this.#objects.delete(key);
  }
}

class Index<T> {
  readonly #keysOf: IndexKeys<T>;
  readonly #found = new Map<string, Map<string, T>>();

  constructor(keysOf: IndexKeys<T>) {
    this.#keysOf = keysOf;
  }

  find(indexKey: string): T[] {
    return [...(this.#found.get(indexKey)?.values() ?? [])];
  }

  add(key: string, object: T): void {
    for (const indexKey of this.#keysOf(object)) {
      const objects = this.#found.get(indexKey);
      if (objects === undefined) this.#found.set(indexKey, new Map([[key, object]]));
      else objects.set(key, object);
    }
  }

  remove(key: string, object: T): void {
    for (const indexKey of this.#keysOf(object)) {
      const objects = this.#found.get(indexKey);
      objects?.delete(key);
      if (objects?.size === 0) this.#found.delete(indexKey);
    }
  }
}
