/** Deeper documents are left to the parser that knows how deep is too deep. */
const maxDepth = 500;
/** Up to so many keys, looking at each of them is faster than sorting. */
const fewKeys = 16;
const noObject = -1;

/** One document at a time: nothing is awaited in between. Larger ones get room of their own. */
const enclosing = new Int32Array(maxDepth);
const sharedHashes = new Int32Array(4096);

/**
 * The keys of all objects that are open at a place of a document, as hashes. Equal hashes need not be equal keys, but
 * different hashes are different keys. The methods give false when a key may be there twice, or when they give up.
 */
export class OpenKeys {
  /** Those of the innermost object last. */
  #hashes = sharedHashes;
  #count = 0;
  /** Where the innermost object's begin; `noObject` in a list. */
  #first = noObject;
  #depth = 0;
  readonly #maxKeys: number;

  /** Gives up at an object with more keys. */
  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  get isInObject(): boolean {
    return this.#first !== noObject;
  }

  open(isObject: boolean): boolean {
    if (this.#depth === maxDepth) return false;
    enclosing[this.#depth++] = this.#first;
    this.#first = isObject ? this.#count : noObject;
    return true;
  }

  add(hash: number): boolean {
    const count = this.#count;
    if (count - this.#first < fewKeys) {
      for (let at = this.#first; at < count; at++) {
        if (this.#hashes[at] === hash) return false;
      }
    } else if (count - this.#first >= this.#maxKeys) {
      return false;
    }
    if (count === this.#hashes.length) this.#grow();
    this.#hashes[count] = hash;
    this.#count = count + 1;
    return true;
  }

  close(): boolean {
    if (this.#depth === 0) return false;
    const first = this.#first;
    if (first !== noObject) {
      if (this.#count - first > fewKeys && hasTwins(this.#hashes.subarray(first, this.#count))) return false;
      this.#count = first;
    }
    this.#first = enclosing[--this.#depth]!;
    return true;
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#count);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }
}

function hasTwins(hashes: Int32Array): boolean {
  hashes.sort();
  for (let at = 1; at < hashes.length; at++) {
    if (hashes[at] === hashes[at - 1]) return true;
  }
  return false;
}
