/** An array or a map that has not been read completely. Reused for the next container at the same level. */
export class OpenContainer {
  value: unknown[] | Record<string, unknown> = [];
  isMap = false;
  /** Elements that have not started; for a map, key-value pairs. Infinity when a break code ends the container. */
  remaining = 0;
  /** The number of elements that have started. */
  begun = 0;
  /** In a map: the key of the next value. */
  key = '';
  /** The number of following items to discard: values without a usable key, or invalid keys. */
  dropped = 0;
  /** The tag that gives the text encoding of the byte strings inside; 0 when they are plain text. */
  encoding = 0;
  /** The number of arrays, maps and repeated tags around the elements. */
  depth = 0;
  /** The keys in wire order. Set only when the object does not preserve that order. */
  keyOrder: (string | undefined)[] | undefined;

  begin(value: unknown[] | Record<string, unknown>, remaining: number): void {
    this.value = value;
    this.isMap = !Array.isArray(value);
    this.remaining = remaining;
    this.begun = 0;
    this.dropped = 0;
    this.keyOrder = undefined;
  }

  /** Returns false when the key is a duplicate. */
  setKey(key: string): boolean {
    this.key = key;
    if (this.keyOrder !== undefined) this.keyOrder.push(key);
    else if (isIndex(key)) this.keyOrder = [...Object.keys(this.value), key];
    return !Object.hasOwn(this.value, key);
  }

  /** Called for an element whose value is discarded. */
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

/** Integer-like keys, which JavaScript objects enumerate before all others. */
function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && String(Number(key) >>> 0) === key;
}
