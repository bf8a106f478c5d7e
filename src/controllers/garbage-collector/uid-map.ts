const wordsOfUid = 4;
const minCapacity = 16;
/** Odd numbers that spread similar uids over all places. */
const spread = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The words of the uid that was parsed last. The same one is often looked up in the maps of many types. */
const parsed = new Uint32Array(wordsOfUid);
let parsedUid = '';
let isUuid = false;

/**
 * Maps uids to texts, for many objects: it takes a third to two thirds of the memory of a `Map`, because it keeps the
 * numbers that uids stand for. They are in a hash table with linear probing. A uid that is not a UUID, as an import may contain it,
 * is kept in a `Map`.
 */
export class UidMap {
  /** A power of 2. */
  #capacity = minCapacity;
  /** The uids, of which each takes four words. A slot is free if it has no text. */
  #words = new Uint32Array(minCapacity * wordsOfUid);
  #texts: (string | undefined)[] = new Array(minCapacity).fill(undefined);
  #count = 0;
  readonly #others = new Map<string, string>();

  get size(): number {
    return this.#count + this.#others.size;
  }

  get(uid: string): string | undefined {
    return parse(uid) ? this.#texts[this.#slotOfParsed()] : this.#others.get(uid);
  }

  set(uid: string, text: string): void {
    if (!parse(uid)) {
      this.#others.set(uid, text);
      return;
    }
    let slot = this.#slotOfParsed();
    if (this.#texts[slot] === undefined) {
      // At least one slot must stay free, where a search ends.
      if ((this.#count + 1) * 8 > this.#capacity * 7) {
        this.#resize(this.#capacity * 2);
        slot = this.#slotOfParsed();
      }
      this.#words.set(parsed, slot * wordsOfUid);
      this.#count += 1;
    }
    this.#texts[slot] = text;
  }

  /** Returns false when the uid is unknown. */
  delete(uid: string): boolean {
    if (!parse(uid)) return this.#others.delete(uid);
    const slot = this.#slotOfParsed();
    if (this.#texts[slot] === undefined) return false;
    this.#count -= 1;
    if (this.#capacity > minCapacity && this.#count * 4 < this.#capacity) {
      this.#texts[slot] = undefined;
      this.#resize(this.#capacity / 2);
    } else this.#free(slot);
    return true;
  }

  *keys(): Generator<string, undefined> {
    for (let slot = 0; slot < this.#capacity; slot++) {
      if (this.#texts[slot] !== undefined) yield uidOf(this.#words, slot * wordsOfUid);
    }
    yield* this.#others.keys();
  }

  /** Returns the slot of the parsed uid, or the one where it belongs. */
  #slotOfParsed(): number {
    const mask = this.#capacity - 1;
    const words = this.#words;
    for (let slot = hashOf(parsed, 0) & mask; ; slot = (slot + 1) & mask) {
      if (this.#texts[slot] === undefined || isParsed(words, slot * wordsOfUid)) return slot;
    }
  }

  /** Moves entries to the freed slot whose search would otherwise end there. */
  #free(freed: number): void {
    const mask = this.#capacity - 1;
    const words = this.#words;
    let hole = freed;
    for (let slot = (hole + 1) & mask; this.#texts[slot] !== undefined; slot = (slot + 1) & mask) {
      const wanted = hashOf(words, slot * wordsOfUid) & mask;
      if (((slot - wanted) & mask) < ((slot - hole) & mask)) continue;
      words.copyWithin(hole * wordsOfUid, slot * wordsOfUid, (slot + 1) * wordsOfUid);
      this.#texts[hole] = this.#texts[slot];
      hole = slot;
    }
    this.#texts[hole] = undefined;
  }

  #resize(capacity: number): void {
    const words = this.#words;
    const texts = this.#texts;
    this.#capacity = capacity;
    this.#words = new Uint32Array(capacity * wordsOfUid);
    this.#texts = new Array(capacity).fill(undefined);
    const mask = capacity - 1;
    texts.forEach((text, from) => {
      if (text === undefined) return;
      let slot = hashOf(words, from * wordsOfUid) & mask;
      while (this.#texts[slot] !== undefined) slot = (slot + 1) & mask;
      this.#words.set(words.subarray(from * wordsOfUid, (from + 1) * wordsOfUid), slot * wordsOfUid);
      this.#texts[slot] = text;
    });
  }
}

/** Returns whether the uid is a UUID. */
function parse(uid: string): boolean {
  if (uid === parsedUid) return isUuid;
  parsedUid = uid;
  isUuid = uuid.test(uid);
  if (!isUuid) return false;
  parsed[0] = Number.parseInt(uid.slice(0, 8), 16);
  parsed[1] = Number.parseInt(uid.slice(9, 13) + uid.slice(14, 18), 16);
  parsed[2] = Number.parseInt(uid.slice(19, 23) + uid.slice(24, 28), 16);
  parsed[3] = Number.parseInt(uid.slice(28, 36), 16);
  return true;
}

function isParsed(words: Uint32Array, at: number): boolean {
  return (
    words[at] === parsed[0] && words[at + 1] === parsed[1] && words[at + 2] === parsed[2] && words[at + 3] === parsed[3]
  );
}

function hashOf(words: Uint32Array, at: number): number {
  let hash = 0;
  for (let index = 0; index < wordsOfUid; index++) hash ^= Math.imul(words[at + index]!, spread[index]!);
  return hash ^ (hash >>> 15);
}

function uidOf(words: Uint32Array, at: number): string {
  const digits = Array.from(words.subarray(at, at + wordsOfUid), (word) => word.toString(16).padStart(8, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
