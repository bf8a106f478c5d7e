interface RecentWrite {
  readonly key: string;
  /** The bytes in the underlying storage. */
  readonly stored: Buffer;
  readonly value: Buffer;
}

/** A power of 2. */
const maxWrites = 256;
/** The number of places in which the write of a key may be. */
const placesOfKey = 8;
const maxBytes = 64 * 1024;
/** 2^32 divided by the golden ratio: its multiples spread similar keys evenly. */
const spread = 0x9e3779b1;
const excessBits = 32 - Math.log2(maxWrites);

/**
 * The latest writes until their first event, which then need not be read again. A write is in one of the places that
 * its key determines. If all of them are taken, it replaces one. A map would keep writes in memory for longer, see
 * `IdMap`.
 */
export class RecentWrites {
  readonly #writes: (RecentWrite | undefined)[] = new Array(maxWrites).fill(undefined);
  #replaced = 0;

  add(write: RecentWrite): void {
    if (write.stored.length > maxBytes) return;
    const first = firstPlaceOf(write.key);
    let at: number | undefined;
    for (let index = 0; index < placesOfKey; index++) {
      const slot = (first + index) & (maxWrites - 1);
      const present = this.#writes[slot];
      if (present === undefined) at ??= slot;
      else if (present.key === write.key) {
        this.#writes[slot] = write;
        return;
      }
    }
    // Writes of types that nobody watches stay, so a different one is replaced each time.
    this.#writes[at ?? (first + (this.#replaced++ % placesOfKey)) & (maxWrites - 1)] = write;
  }

  /** Removes and returns the value of a write. Undefined if it is not known, or if the key has other bytes. */
  take(key: string, stored: Buffer): Buffer | undefined {
    const first = firstPlaceOf(key);
    for (let index = 0; index < placesOfKey; index++) {
      const slot = (first + index) & (maxWrites - 1);
      const present = this.#writes[slot];
      if (present?.key !== key) continue;
      if (!present.stored.equals(stored)) return undefined;
      this.#writes[slot] = undefined;
      return present.value;
    }
    return undefined;
  }
}

/** Keys that are written at the same time differ mostly at their ends. */
function firstPlaceOf(key: string): number {
  let hash = 0;
  for (let at = Math.max(0, key.length - 16); at < key.length; at++) hash = (hash * 31 + key.charCodeAt(at)) | 0;
  return Math.imul(hash, spread) >>> excessBits;
}
