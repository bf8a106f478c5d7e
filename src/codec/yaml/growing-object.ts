import { define, sortedObject } from './sorted-object.ts';

/** A JSON object while its keys come in. */
export class GrowingObject {
  readonly #object: Record<string, unknown> = {};
  /** The first of the keys that are no texts, as Go prints it. They are other keys than the same texts. */
  #other = '';
  /** The rest of them. A set for every small map would be much. */
  #others: Set<string> | undefined;
  #lastKey = '';
  /** How many keys there are. */
  size = 0;
  #isSorted = true;
  #superseded: Map<string, Record<string, unknown>[]> | undefined;
  /** Set when keys of other maps are merged into this one: what they had before is replaced on purpose. */
  isMerged = false;

  /** What repeated keys had before their last values, each in an object of its own. */
  get superseded(): ReadonlyMap<string, readonly Record<string, unknown>[]> | undefined {
    return this.#superseded;
  }

  /** Of repeated keys the last one wins. Returns whether this one is repeated. A text has no syntax of its own. */
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

  /** The object, with its keys in order. */
  finish(): Record<string, unknown> {
    return this.#isSorted ? this.#object : sortedObject(this.#object);
  }
}
