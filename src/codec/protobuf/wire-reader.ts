import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../meta/decode-error.ts';
import { requestBounds, tooManyValues } from '../document-bounds.ts';

export const wireTypes = { varint: 0, fixed64: 1, lengthDelimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Far above the depth of real objects. Only recursive types reach it, and reading them uses nested calls. */
const maxDepth = 1_000;
/** A map member counts as three fields: the entry, its key and its value. */
const maxFields = 3 * requestBounds.maxValues;
const twoTo32 = 2 ** 32;
/** The replacement character that decoding produces for invalid UTF-8. */
const replacement = '\ufffd';

/**
 * Reads one protobuf message and its nested messages without copying. Accepts the same input and reports the same
 * errors as the code that gogo generates for Kubernetes: a value beyond its type's width loses the upper bits, and the
 * last of repeated values wins. The reader must not be used after an error.
 */
export class WireReader {
  /** The number and wire type of the field that `next` found. */
  field = 0;
  wireType = 0;
  readonly #bytes: Buffer;
  #at = 0;
  #end: number;
  #depth = 0;
  #fields = 0;
  /** The two halves of the last varint. */
  #low = 0;
  #high = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  get atEnd(): boolean {
    return this.#at === this.#end;
  }

  /** Advances to the next field. Returns false at the end of the message. `message` is its name in errors. */
  next(message: string): boolean {
    if (this.#at === this.#end) return false;
    this.count();
    this.#tag();
    if (this.wireType === wireTypes.endGroup)
      throw new DecodeError(`proto: ${message}: wiretype end group for non-group`);
    if (this.field <= 0) {
      const tag = (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0);
      throw new DecodeError(`proto: ${message}: illegal tag ${this.field} (wire type ${tag})`);
    }
    return true;
  }

  /** Must be called for every field and for every number of a packed list. */
  count(): void {
    if (++this.#fields > maxFields) throw tooManyValues(requestBounds);
  }

  #tag(): void {
    this.#varint();
    this.field = (this.#low >>> 3) | (this.#high << 29);
    this.wireType = this.#low & 7;
  }

  /** Rejects a known field that has an unexpected wire type. */
  expect(wireType: number, name: string): void {
    if (this.wireType !== wireType) throw new DecodeError(`proto: wrong wireType = ${this.wireType} for field ${name}`);
  }

  /** Enters a message or a packed list. The caller must pass the result to `leave` after reading it to its end. */
  enter(): number {
    const length = this.#length();
    if (++this.#depth > maxDepth) throw new DecodeError('proto: exceeded maximum recursion depth');
    const outerEnd = this.#end;
    this.#end = this.#at + length;
    return outerEnd;
  }

  leave(outerEnd: number): void {
    this.#depth--;
    this.#end = outerEnd;
  }

  /** Returns a bigint when a number would not be exact. */
  int64(): number | bigint {
    this.#varint();
    const low = this.#low >>> 0;
    const value = this.#high * twoTo32 + low;
    return Number.isSafeInteger(value) ? value : (BigInt(this.#high) << 32n) | BigInt(low);
  }

  int32(): number {
    this.#varint();
    return this.#low;
  }

  uint32(): number {
    this.#varint();
    return this.#low >>> 0;
  }

  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  float64(): number {
    const start = this.#at;
    this.#advance(8);
    return this.#bytes.readDoubleLE(start);
  }

  /** Rejects invalid UTF-8, because it could not be stored unchanged. */
  text(): string {
    const length = this.#length();
    if (length === 0) return '';
    const from = this.#at;
    this.#at = from + length;
    const text = this.#bytes.toString('utf8', from, this.#at);
    if (text.includes(replacement) && !isUtf8(this.#bytes.subarray(from, this.#at))) {
      throw new DecodeError('proto: string field contains invalid UTF-8');
    }
    return text;
  }

  /** Returns a view, not a copy. */
  bytes(): Buffer {
    const length = this.#length();
    const start = this.#at;
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }

  /** Skips the value of the field that `next` found. Nested groups are counted rather than entered recursively. */
  skip(): void {
    for (let groups = 0; ; this.#tag()) {
      switch (this.wireType) {
        case wireTypes.varint:
          this.#varint();
          break;
        case wireTypes.fixed64:
          this.#advance(8);
          break;
        case wireTypes.lengthDelimited:
          this.#advance(this.#length());
          break;
        case wireTypes.startGroup:
          groups++;
          break;
        case wireTypes.endGroup:
          groups--;
          break;
        case wireTypes.fixed32:
          this.#advance(4);
          break;
        default:
          throw new DecodeError(`proto: illegal wireType ${this.wireType}`);
      }
      if (groups === 0) return;
    }
  }

  #advance(count: number): void {
    if (count > this.#end - this.#at) throw unexpectedEnd();
    this.#at += count;
  }

  /** Reads a length and checks that the input contains that many bytes. */
  #length(): number {
    this.#varint();
    if (this.#high < 0) throw new DecodeError('proto: negative length found during unmarshaling');
    const length = this.#low >>> 0;
    if (this.#high > 0 || length > this.#end - this.#at) throw unexpectedEnd();
    return length;
  }

  #varint(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      if (at === end) throw unexpectedEnd();
      const byte = bytes[at++]!;
      const bits = byte & 0x7f;
      if (shift < 28) {
        low |= bits << shift;
      } else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else {
        high |= bits << (shift - 32);
      }
      if (byte < 0x80) {
        this.#at = at;
        this.#low = low;
        this.#high = high;
        return;
      }
    }
    throw new DecodeError('proto: integer overflow');
  }
}

const unexpectedEnd = (): DecodeError => new DecodeError('unexpected EOF');
