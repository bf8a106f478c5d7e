import { floatWidth, toFloat16 } from './float-width.ts';
import { majorTypes, primitives, selfDescribed, tags } from './major-types.ts';

const twoTo32 = 2 ** 32;
const maxHeadLength = 9;
/** Up to this length, a loop over the characters is faster than a native call. */
const shortText = 32;
const firstCapacity = 64 * 1024;
/** A larger buffer is released after use, so that a few large objects do not hold memory. */
const maxKept = 1024 * 1024;

/** Writes data items one after the other into a reusable buffer. */
export class CborWriter {
  #buffer = Buffer.allocUnsafeSlow(firstCapacity);
  #at = 0;

  /** Returns a copy of the bytes written since `start`. */
  finish(): Buffer {
    const written = Buffer.allocUnsafe(this.#at);
    this.#buffer.copy(written, 0, 0, this.#at);
    return written;
  }

  /** Must be called before the first write. Discards output that was not finished. */
  start(): void {
    this.#at = 0;
    if (this.#buffer.length > maxKept) this.#buffer = Buffer.allocUnsafeSlow(firstCapacity);
  }

  selfDescribed(): void {
    this.#reserve(selfDescribed.length);
    for (const byte of selfDescribed) this.#buffer[this.#at++] = byte;
  }

  /** The argument must be an integer below 2^53. */
  head(major: number, argument: number): void {
    this.#reserve(maxHeadLength);
    this.#at = this.#putHead(this.#at, major, argument);
  }

  /** Returns the offset after the head. The caller must have reserved space. */
  #putHead(at: number, major: number, argument: number): number {
    const buffer = this.#buffer;
    const type = major << 5;
    if (argument < 24) {
      buffer[at] = type | argument;
      return at + 1;
    }
    if (argument < 0x100) {
      buffer[at] = type | 24;
      buffer[at + 1] = argument;
      return at + 2;
    }
    if (argument < 0x10000) {
      buffer[at] = type | 25;
      return buffer.writeUInt16BE(argument, at + 1);
    }
    if (argument < twoTo32) {
      buffer[at] = type | 26;
      return buffer.writeUInt32BE(argument, at + 1);
    }
    buffer[at] = type | 27;
    buffer.writeUInt32BE(Math.floor(argument / twoTo32), at + 1);
    return buffer.writeUInt32BE(argument % twoTo32, at + 5);
  }

  integer(value: number): void {
    if (value >= 0) this.head(majorTypes.unsigned, value);
    else this.head(majorTypes.negative, -1 - value);
  }

  /** The value must be in the range of an int64. */
  bigInteger(value: bigint): void {
    if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) {
      this.integer(Number(value));
      return;
    }
    this.#reserve(maxHeadLength);
    this.#buffer[this.#at] = ((value < 0n ? majorTypes.negative : majorTypes.unsigned) << 5) | 27;
    this.#at = this.#buffer.writeBigUInt64BE(value < 0n ? -1n - value : value, this.#at + 1);
  }

  /** Writes the shortest encoding that preserves the value. */
  float(value: number): void {
    if (!Number.isFinite(value)) throw new RangeError(`cbor: ${value} is not a number of JSON`);
    this.#reserve(maxHeadLength);
    const buffer = this.#buffer;
    const at = this.#at;
    switch (floatWidth(value)) {
      case 2:
        this.primitive(primitives.float16);
        this.#at = buffer.writeUInt16BE(toFloat16(value), at + 1);
        break;
      case 4:
        this.primitive(primitives.float32);
        this.#at = buffer.writeFloatBE(value, at + 1);
        break;
      case 8:
        this.primitive(primitives.float64);
        this.#at = buffer.writeDoubleBE(value, at + 1);
        break;
    }
  }

  primitive(info: number): void {
    this.#reserve(1);
    this.#buffer[this.#at++] = (majorTypes.primitive << 5) | info;
  }

  /** Writes text as a byte string, as Kubernetes does. */
  text(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    this.#reserve(maxHeadLength + 3 * text.length);
    if (text.length > shortText || !this.#shortAscii(text))
      this.#string(text, { length: text.length, encoding: 'utf8' });
  }

  /** Decodes base64 text and writes the bytes with the tag for base64 content. */
  base64(text: string): void {
    this.head(majorTypes.tag, tags.base64);
    this.#reserve(maxHeadLength + text.length);
    this.#string(text, { length: Buffer.byteLength(text, 'base64'), encoding: 'base64' });
  }

  #shortAscii(text: string): boolean {
    const buffer = this.#buffer;
    const { length } = text;
    let at = this.#putHead(this.#at, majorTypes.bytes, length);
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return false;
      buffer[at++] = code;
    }
    this.#at = at;
    return true;
  }

  /** `length` is an estimate. The head is corrected once the actual number of bytes is known. */
  #string(text: string, { length, encoding }: { length: number; encoding: BufferEncoding }): void {
    const buffer = this.#buffer;
    const guess = this.#putHead(this.#at, majorTypes.bytes, length);
    const size = buffer.write(text, guess, encoding);
    const start = this.#at + headLength(size);
    if (start !== guess) buffer.copyWithin(start, guess, guess + size);
    this.#putHead(this.#at, majorTypes.bytes, size);
    this.#at = start + size;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

function headLength(argument: number): number {
  return argument < 24 ? 1 : argument < 0x100 ? 2 : argument < 0x10000 ? 3 : argument < twoTo32 ? 5 : 9;
}
