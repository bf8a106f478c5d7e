import { DecodeError } from '../../meta/decode-error.ts';
import { breakCode, majorTypes, typeName } from './major-types.ts';

const twoTo32 = 2 ** 32;
export const indefinite = 31;
const minLongSimple = 32;

/**
 * Reads the heads of data items. Rejects malformed ones with the messages of the CBOR library that Kubernetes uses. The
 * reader must not be used after an error.
 */
export class HeadReader {
  readonly bytes: Buffer;
  at = 0;
  /** The major type of the head that `next` read. */
  major = 0;
  /** The lower five bits of the first byte: the width of the argument or, for a primitive, its code. */
  info = 0;
  /** A length, tag number, integer or float value. Above 2^53 only `exactArgument` is exact. */
  argument = 0;
  #high = 0;
  #low = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get isIndefinite(): boolean {
    return this.info === indefinite;
  }

  get exactArgument(): bigint {
    return this.info === 27 ? (BigInt(this.#high) << 32n) | BigInt(this.#low) : BigInt(this.argument);
  }

  next(): void {
    if (this.at >= this.bytes.length) throw unexpectedEnd();
    const initial = this.bytes[this.at++]!;
    this.major = initial >> 5;
    this.info = initial & 0x1f;
    if (this.info < 24) this.argument = this.info;
    else this.#longArgument();
  }

  /** Returns the first byte of the next item without consuming it. */
  peek(): number {
    if (this.at >= this.bytes.length) throw unexpectedEnd();
    return this.bytes[this.at]!;
  }

  /** Consumes a break code if it is next. */
  takeBreak(): boolean {
    if (this.peek() !== breakCode) return false;
    this.at++;
    return true;
  }

  #longArgument(): void {
    const { bytes, at, info, major } = this;
    switch (info) {
      case 24:
        this.advance(1);
        this.argument = bytes[at]!;
        if (major === majorTypes.primitive && this.argument < minLongSimple) {
          throw new DecodeError(`cbor: invalid simple value ${this.argument} for type ${typeName(major)}`);
        }
        break;
      case 25:
        this.advance(2);
        this.argument = bytes.readUInt16BE(at);
        if (major === majorTypes.primitive) this.#float(float16(this.argument));
        break;
      case 26:
        this.advance(4);
        this.argument = bytes.readUInt32BE(at);
        if (major === majorTypes.primitive) this.#float(bytes.readFloatBE(at));
        break;
      case 27:
        this.advance(8);
        this.#high = bytes.readUInt32BE(at);
        this.#low = bytes.readUInt32BE(at + 4);
        this.argument = this.#high * twoTo32 + this.#low;
        if (major === majorTypes.primitive) this.#float(bytes.readDoubleBE(at));
        break;
      default:
        this.#noArgument();
    }
  }

  #noArgument(): void {
    const { info, major } = this;
    if (info === indefinite) {
      if (major === majorTypes.primitive) throw new DecodeError('cbor: unexpected "break" code');
      if (major >= majorTypes.bytes && major <= majorTypes.map) return;
    }
    throw new DecodeError(`cbor: invalid additional information ${info} for type ${typeName(major)}`);
  }

  #float(value: number): void {
    if (!Number.isFinite(value)) {
      const found = Number.isNaN(value) ? 'floating-point NaN' : 'floating-point infinity';
      throw new DecodeError(`cbor: data item of cbor type primitives is not accepted by protocol: ${found}`);
    }
    this.argument = value;
  }

  protected advance(count: number): void {
    if (count > this.bytes.length - this.at) throw unexpectedEnd();
    this.at += count;
  }

  /** The length of the string, array or map whose head was read. Infinity when a break code ends it. */
  length(): number {
    if (this.isIndefinite) return Number.POSITIVE_INFINITY;
    if (this.info === 27 && this.#high >= 2 ** 31) {
      const result = this.major <= majorTypes.text ? 'causing integer overflow' : 'it would cause integer overflow';
      throw new DecodeError(`cbor: ${typeName(this.major)} length ${this.exactArgument} is too large, ${result}`);
    }
    return this.argument;
  }
}

function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (0x400 + fraction) * 2 ** (exponent - 25);
}

const unexpectedEnd = (): DecodeError => new DecodeError('unexpected EOF');
