/** An array or a map of which not all is read yet. Used again for the next one at its level. */
export class OpenContainer {
  value: unknown[] | Record<string, unknown> = [];
  isMap = false;
  /** Elements that have not begun; of a map these are pairs. Infinite when a break code ends it. */
  remaining = 0;
  /** Elements that have begun. */
  begun = 0;
  /** In a map: that of the value that comes next. */
  key = '';
  /** So many of the items that come next are left out: values without a key, or keys that are none. */
  dropped = 0;
  /** The tag that says which text the byte strings below stand for; 0 for the text they are. */
  encoding = 0;
  /** Arrays, maps and repeated tags around what is in it. */
  depth = 0;
  /** The keys on the wire, once it is known that the object does not keep their order. */
  keyOrder: (string | undefined)[] | undefined;

  begin(value: unknown[] | Record<string, unknown>, remaining: number): void {
    this.value = value;
    this.isMap = !Array.isArray(value);
    this.remaining = remaining;
    this.begun = 0;
    this.dropped = 0;
    this.keyOrder = undefined;
  }

  /** False when the key has been there before. */
  setKey(key: string): boolean {
    this.key = key;
    if (this.keyOrder !== undefined) this.keyOrder.push(key);
    else if (isIndex(key)) this.keyOrder = [...Object.keys(this.value), key];
    return !Object.hasOwn(this.value, key);
  }

  /** For an element whose value is left out. */
  skipKey(): void {
    this.keyOrder ??= Object.keys(this.value);
    this.keyOrder.push(undefined);
  }

  add(item: unknown): void {
    if (!this.isMap) {
      (this.value as unknown[]).push(item);
    } else if (this.key === '__proto__') {
      Object.defineProperty(this.value, this.key, {
        value: item,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    } else {
      (this.value as Record<string, unknown>)[this.key] = item;
    }
  }
}

/** Keys that JavaScript objects keep before all others. */
function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && String(Number(key) >>> 0) === key;
}
