const defaultCapacity = 16 * 1024;
/** A larger buffer is released after use, because objects of that size are rare. */
const maxKeptSize = 1024 * 1024;
/** Up to this length, a loop is faster than native calls. */
const shortText = 48;
const shortBytes = 48;
const twoTo32 = 2 ** 32;

/**
 * Writes one protobuf message from its end to its beginning, like the code that gogo generates for Kubernetes, so that
 * the content of each length prefix is already written. Each value is therefore written before its length, the length
 * before its tag, and fields and elements in reverse order. A writer can be reused for any number of messages.
 */
export class WireWriter {
  readonly #smallest: number;
  #bytes: Buffer;
  #at: number;

  constructor(capacity = defaultCapacity) {
    this.#smallest = capacity;
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
    this.#at = capacity;
  }

  /** The number of bytes written so far, for `close`. */
  get size(): number {
    return this.#bytes.length - this.#at;
  }

  /** Starts a message. Discards the output of a message that failed. */
  start(): void {
    this.#at = this.#bytes.length;
  }

  /** Returns a copy of the message. */
  finish(): Buffer {
    const { size } = this;
    const message = Buffer.allocUnsafe(size);
    this.#bytes.copy(message, 0, this.#at);
    if (this.#bytes.length > maxKeptSize) this.#bytes = Buffer.allocUnsafeSlow(this.#smallest);
    return message;
  }

  /** Writes the tag and the length of the bytes written since the size was `before`. */
  close(before: number, tag: number): void {
    this.#head(this.#bytes.length - this.#at - before, tag);
  }

  #head(length: number, tag: number): void {
    const at = this.#at;
    if (length < 0x80 && tag < 0x80 && at >= 2) {
      const bytes = this.#bytes;
      bytes[at - 1] = length;
      bytes[at - 2] = tag;
      this.#at = at - 2;
    } else {
      this.varint(length);
      this.varint(tag);
    }
  }

  /** Writes an unsigned 32-bit value. Also used for tags and lengths. */
  varint(value: number): void {
    if (this.#at < 5) this.#grow(5);
    const bytes = this.#bytes;
    if (value < 0x80) {
      bytes[--this.#at] = value;
      return;
    }
    let at = this.#at - (value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5);
    this.#at = at;
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at] = rest;
  }

  int32(value: number): void {
    if (value >= 0) this.varint(value);
    else this.#varint64(value, -1);
  }

  /** The value must be between -2 ** 63 and 2 ** 63. */
  int64(value: number | bigint): void {
    if (typeof value === 'bigint') this.#varint64(Number(BigInt.asIntN(32, value)), Number(value >> 32n));
    else if (value >= 0 && value < twoTo32) this.varint(value);
    else this.#varint64(value, Math.floor(value / twoTo32));
  }

  /** Only the lower 32 bits of each half are used. */
  #varint64(low: number, high: number): void {
    if (this.#at < 10) this.#grow(10);
    const limbs = [low & 0xfff_ffff, ((low >>> 28) | (high << 4)) & 0xfff_ffff, high >>> 24];
    let groups = 10;
    while (groups > 1 && groupOf(limbs, groups - 1) === 0) groups--;
    this.#at -= groups;
    for (let index = 0; index < groups; index++) {
      const more = index === groups - 1 ? 0 : 0x80;
      this.#bytes[this.#at + index] = groupOf(limbs, index) | more;
    }
  }

  float64(value: number): void {
    if (this.#at < 8) this.#grow(8);
    this.#at -= 8;
    this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** Writes the tag, the length and the text. */
  text(value: string, tag: number): void {
    const { length } = value;
    if (length > shortText) {
      this.#longText(value, tag);
      return;
    }
    if (this.#at < length) this.#grow(length);
    const bytes = this.#bytes;
    const from = this.#at - length;
    let all = 0;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      all |= code;
      bytes[from + index] = code;
    }
    if (all > 0x7f) {
      this.#longText(value, tag);
      return;
    }
    this.#at = from;
    this.#head(length, tag);
  }

  /** An unpaired surrogate becomes U+FFFD. */
  #longText(value: string, tag: number): void {
    const length = Buffer.byteLength(value);
    if (this.#at < length) this.#grow(length);
    this.#at -= length;
    this.#bytes.write(value, this.#at, length);
    this.#head(length, tag);
  }

  /** Decodes base64 text and writes the tag, the length and the bytes. */
  base64(text: string, tag: number): void {
    const capacity = Buffer.byteLength(text, 'base64');
    if (this.#at < capacity) this.#grow(capacity);
    const from = this.#at - capacity;
    const length = this.#bytes.write(text, from, capacity, 'base64');
    // Line breaks in base64 make the result shorter than estimated.
    if (length < capacity) this.#bytes.copyWithin(this.#at - length, from, from + length);
    this.#at -= length;
    this.#head(length, tag);
  }

  /** Writes the bytes without their length. */
  raw(bytes: Uint8Array): void {
    const { length } = bytes;
    if (this.#at < length) this.#grow(length);
    const at = this.#at - length;
    this.#at = at;
    if (length > shortBytes) this.#bytes.set(bytes, at);
    else for (let index = 0; index < length; index++) this.#bytes[at + index] = bytes[index]!;
  }

  #grow(count: number): void {
    const { size } = this;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, size + count));
    const at = grown.length - size;
    this.#bytes.copy(grown, at, this.#at);
    this.#bytes = grown;
    this.#at = at;
  }
}

/** Returns one seven-bit group of a number that is split into limbs of 28 bits. */
function groupOf(limbs: readonly number[], index: number): number {
  return (limbs[index >> 2]! >>> ((index & 3) * 7)) & 0x7f;
}
