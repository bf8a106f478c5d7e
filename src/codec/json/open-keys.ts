/** Deeper documents are left to the exact parser, which enforces the real limit. */
const maxDepth = 500;
/** Up to this number of keys, a linear search is faster than sorting. */
const maxLinearKeys = 16;
const noObject = -1;

/** Shared by all documents, because each is checked synchronously. Large documents allocate a larger array. */
const enclosing = new Int32Array(maxDepth);
const sharedHashes = new Int32Array(4096);

/**
 * The hashes of the keys of all objects that are open at a position of a document. Different keys may have equal
 * hashes, but equal keys never have different hashes. The methods return false if a key may be a duplicate, or if a
 * limit is exceeded.
 */
export class OpenKeys {
  /** The hashes of the innermost object come last. */
  #hashes = sharedHashes;
  #count = 0;
  /** The index of the innermost object's first hash; `noObject` in a list. */
  #first = noObject;
  #depth = 0;
  readonly #maxKeys: number;

  /** Adding more than `maxKeys` keys to an object fails. */
  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  get isInObject(): boolean {
    return this.#first !== noObject;
  }

  openObject(): boolean {
    return this.#open(this.#count);
  }

  openList(): boolean {
    return this.#open(noObject);
  }

  #open(first: number): boolean {
    if (this.#depth === maxDepth) return false;
    enclosing[this.#depth++] = this.#first;
    this.#first = first;
    return true;
  }

  add(hash: number): boolean {
    const count = this.#count;
    if (count - this.#first < maxLinearKeys) {
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
      if (this.#count - first > maxLinearKeys && hasDuplicates(this.#hashes.subarray(first, this.#count))) return false;
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

function hasDuplicates(hashes: Int32Array): boolean {
  hashes.sort();
  for (let at = 1; at < hashes.length; at++) {
    if (hashes[at] === hashes[at - 1]) return true;
  }
  return false;
}
