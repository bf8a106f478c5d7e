import { define, sortedObject } from './sorted-object.ts';

/** A JSON object under construction. */
export class GrowingObject {
  readonly #object: Record<string, unknown> = {};
  /** The syntax of the first key that is not a string. Such a key differs from the string of the same characters. */
  #other = '';
  /** The syntax of further such keys. Allocated only if needed, because most maps have none. */
  #others: Set<string> | undefined;
  #lastKey = '';
  /** The number of keys. */
  size = 0;
  #isSorted = true;
  #superseded: Map<string, Record<string, unknown>[]> | undefined;
  /** Set when keys of other maps are merged into this one. Replacing values is intended then: they are not kept. */
  isMerged = false;

  /** The earlier values of duplicate keys, each in a separate object. */
  get superseded(): ReadonlyMap<string, readonly Record<string, unknown>[]> | undefined {
    return this.#superseded;
  }

  /** Returns whether the key is a duplicate. The last value wins. `syntax` is empty for a string key. */
  set(key: string, syntax: string, value: unknown): boolean {
    let isRepeated = false;
    if (Object.hasOwn(this.#object, key)) {
      isRepeated = syntax === '' ? !this.#hasOther(key) : this.#hasOther(syntax);
    } else {
      this.size++;
      if (key < this.#lastKey) this.#isSorted = false;
      this.#lastKey = key;
    }
    if (isRepeated && !this.isMerged) this.#setAside(key);
    if (syntax !== '') this.#addOther(syntax);
    define(this.#object, key, value);
    return isRepeated;
  }

  #setAside(key: string): void {
    const holder: Record<string, unknown> = {};
    define(holder, key, this.#object[key]);
    this.#superseded ??= new Map();
    const earlier = this.#superseded.get(key);
    if (earlier === undefined) this.#superseded.set(key, [holder]);
    else earlier.push(holder);
  }

  #hasOther(syntax: string): boolean {
    return syntax !== '' && (syntax === this.#other || this.#others?.has(syntax) === true);
  }

  #addOther(syntax: string): void {
    if (this.#other === '') {
      this.#other = syntax;
    } else if (syntax !== this.#other) {
      this.#others ??= new Set();
      this.#others.add(syntax);
    }
  }

  /** Returns the object with sorted keys. */
  finish(): Record<string, unknown> {
    return this.#isSorted ? this.#object : sortedObject(this.#object);
  }
}
