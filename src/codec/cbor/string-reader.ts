import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../meta/decode-error.ts';
import { requestBounds, tooManyValues } from '../document-bounds.ts';
import { HeadReader, indefinite } from './head-reader.ts';
import { majorTypes, typeName } from './major-types.ts';

/**
 * A slice keeps the whole decoded body in memory. Slicing is much faster than decoding, so bodies up to this size use
 * it.
 */
const maxKeptAlive = 16 * 1024;
/** Up to this many bytes are copied one by one. */
const maxCopied = 32;
const nothing = Buffer.alloc(0);

/** Reads the strings that follow their heads. */
export class StringReader extends HeadReader {
  /** Whether the string that `utf8` read, or one of its chunks, is not valid UTF-8. */
  isBroken = false;
  readonly #latin1: string | undefined;
  #values = 0;

  constructor(bytes: Buffer) {
    super(bytes);
    if (bytes.length <= maxKeptAlive) this.#latin1 = bytes.toString('latin1');
  }

  /** Counts a value of the document. A chunk of a string counts as one: it takes as long to read. */
  countValue(): void {
    if (++this.#values > requestBounds.maxValues) throw tooManyValues(requestBounds);
  }

  /** Returns the string whose head was read as text, with invalid UTF-8 replaced by U+FFFD. Sets `isBroken`. */
  utf8(): string {
    this.isBroken = false;
    if (this.isIndefinite) return this.#joinedText();
    const { bytes, at } = this;
    this.advance(this.length());
    const end = this.at;
    for (let index = at; index < end; index++) {
      if (bytes[index]! >= 0x80) return this.#checked(bytes.toString('utf8', at, end), bytes.subarray(at, end));
    }
    return this.#latin1?.slice(at, end) ?? bytes.toString('latin1', at, end);
  }

  #joinedText(): string {
    const joined = this.#joined();
    return joined.length === 0 ? '' : this.#checked(joined.toString(), joined);
  }

  /** Bytes can be invalid only when the text contains the replacement character. */
  #checked(text: string, bytes: Buffer): string {
    if (text.includes('\ufffd')) this.isBroken ||= !isUtf8(bytes);
    return text;
  }

  /** Returns the bytes of the string whose head was read: a view, or a copy when the string is chunked. */
  string(): Buffer {
    if (this.isIndefinite) return this.#joined();
    const start = this.at;
    this.advance(this.length());
    return this.bytes.subarray(start, this.at);
  }

  /** Reads the chunks twice, so that no more than their bytes is kept. */
  #joined(): Buffer {
    const start = this.at;
    const length = this.#piecesLength(this.major);
    if (length === 0) return nothing;
    const isText = this.major === majorTypes.text;
    const joined = Buffer.allocUnsafe(length);
    let filled = 0;
    this.at = start;
    while (!this.takeBreak()) {
      this.next();
      const from = this.at;
      this.advance(this.argument);
      // Text strings must be valid UTF-8 in every chunk; byte strings only as a whole.
      if (isText && this.argument > 0) this.isBroken ||= isContinuation(this.bytes[from]!);
      filled = this.#copy(joined, filled, from);
    }
    return joined;
  }

  /**
   * Copies a chunk and returns the offset after it. A native call for every short chunk would cost most of the time.
   */
  #copy(target: Buffer, offset: number, from: number): number {
    const { bytes, at: end } = this;
    if (end - from > maxCopied) return offset + bytes.copy(target, offset, from, end);
    let filled = offset;
    for (let at = from; at < end; at++) target[filled++] = bytes[at]!;
    return filled;
  }

  /** Validates the chunks up to the break code and returns their total length. */
  #piecesLength(major: number): number {
    let length = 0;
    while (!this.takeBreak()) {
      const initial = this.peek();
      if (initial >> 5 !== major) {
        const [found, wanted] = [typeName(initial >> 5), typeName(major)];
        throw new DecodeError(`cbor: wrong element type ${found} for indefinite-length ${wanted}`);
      }
      if ((initial & 0x1f) === indefinite) {
        throw new DecodeError(`cbor: indefinite-length ${typeName(major)} chunk is not definite-length`);
      }
      this.countValue();
      this.next();
      this.advance(this.length());
      length += this.argument;
    }
    return length;
  }
}

/** Returns whether this is a UTF-8 continuation byte. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
