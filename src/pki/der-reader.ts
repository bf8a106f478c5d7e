export class DerError extends Error {}

export interface DerElement {
  /** Class, form and number in one byte. Certificate requests have no multi-byte tags. */
  readonly tag: number;
  readonly content: Buffer;
  /** The content with its header. */
  readonly whole: Buffer;
}

export const sequenceTag = 0x30;
export const integerTag = 0x02;
export const bitStringTag = 0x03;
export const objectIdentifierTag = 0x06;

/** Reads consecutive DER elements from `bytes`. */
export class DerReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  /** Throws a `DerError` at the end, or when the element has another tag than the given one. */
  next(tag?: number): DerElement {
    const start = this.#position;
    if (start >= this.#bytes.length) throw new DerError('asn1: syntax error: sequence truncated');
    const found = this.#bytes[start]!;
    const { length, headerLength } = this.#length(start + 1);
    const contentStart = start + 1 + headerLength;
    if (tag !== undefined && found !== tag) throw mismatch(tag, found, { length, offset: contentStart });
    const end = contentStart + length;
    if (end > this.#bytes.length) throw new DerError('asn1: syntax error: data truncated');
    this.#position = end;
    return {
      tag: found,
      content: this.#bytes.subarray(contentStart, end),
      whole: this.#bytes.subarray(start, end),
    };
  }

  #length(at: number): { length: number; headerLength: number } {
    const first = this.#bytes[at];
    if (first === undefined) throw new DerError('asn1: syntax error: truncated tag or length');
    if (first < 0x80) return { length: first, headerLength: 1 };
    const count = first & 0x7f;
    if (count === 0) throw new DerError('asn1: syntax error: indefinite length found (not DER)');
    if (at + count >= this.#bytes.length) throw new DerError('asn1: syntax error: truncated tag or length');
    if (count > 4) throw new DerError('asn1: structure error: length too large');
    return { length: this.#bytes.readUIntBE(at + 1, count), headerLength: 1 + count };
  }
}

function mismatch(wanted: number, found: number, { length, offset }: { length: number; offset: number }): DerError {
  const shown = `{class:${found >> 6} tag:${found & 0x1f} length:${length} isCompound:${(found & 0x20) !== 0}}`;
  const parameters =
    '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';
  const detail = `tags don't match (${wanted & 0x1f} vs ${shown}) ${parameters} certificateRequest @${offset}`;
  return new DerError(`asn1: structure error: ${detail}`);
}

/** Formats an object identifier in dotted notation. */
export function objectIdentifier({ content }: DerElement): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    numbers.push(value);
    value = 0;
  }
  const first = numbers.shift() ?? 0;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...numbers].join('.');
}
