/**
 * The part of HTTP/2 header compression (RFC 7541) that a load generator needs: it writes its headers uncompressed and
 * reads only the status of a response.
 */

const statusOfStaticEntry = new Map([
  [8, 200],
  [9, 204],
  [10, 206],
  [11, 304],
  [12, 400],
  [13, 404],
  [14, 500],
]);
const staticEntries = 61;

export function encodeHeaders(headers: Readonly<Record<string, string>>): Buffer {
  const pieces: Buffer[] = [];
  for (const [name, value] of Object.entries(headers)) {
    pieces.push(Buffer.from([0]), encodeString(name), encodeString(value));
  }
  return Buffer.concat(pieces);
}

function encodeString(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const prefix = [127];
  let rest = bytes.length - 127;
  for (; rest > 127; rest >>= 7) prefix.push((rest & 127) | 128);
  prefix.push(rest);
  return Buffer.concat([Buffer.from(prefix), bytes]);
}

/**
 * Reads the status from the header blocks of one connection. It must process every block: the server encodes a repeated
 * status as a table index, which counts backwards over all entries inserted since.
 */
export class StatusReader {
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  /**
   * The total number of entries the server has inserted. Evicted entries are never referenced, so counting is enough.
   */
  #inserted = 0;
  readonly #statusOfInsertion = new Map<number, number>();

  read(block: Buffer): number {
    this.#block = block;
    this.#at = 0;
    let status = 0;
    while (this.#at < block.length) status = this.#readField() ?? status;
    return status;
  }

  #readField(): number | undefined {
    const first = this.#block[this.#at]!;
    if (first >= 0x80) return this.#statusAt(this.#readInteger(7));
    if (first >= 0x40) {
      const status = this.#readLiteral(6);
      if (status !== undefined) this.#statusOfInsertion.set(this.#inserted, status);
      this.#inserted++;
      return status;
    }
    if (first >= 0x20) {
      this.#readInteger(5);
      return undefined;
    }
    return this.#readLiteral(4);
  }

  #statusAt(index: number): number | undefined {
    if (index <= staticEntries) return statusOfStaticEntry.get(index);
    return this.#statusOfInsertion.get(this.#inserted + staticEntries - index);
  }

  #readLiteral(prefixBits: number): number | undefined {
    const nameIndex = this.#readInteger(prefixBits);
    if (nameIndex === 0) {
      const nameLength = this.#readInteger(7);
      this.#at += nameLength;
    }
    const isStatus = nameIndex !== 0 && this.#statusAt(nameIndex) !== undefined;
    const isHuffman = this.#block[this.#at]! >= 0x80;
    const length = this.#readInteger(7);
    const value = this.#at;
    this.#at += length;
    if (!isStatus) return undefined;
    return isHuffman
      ? huffmanDigits(this.#block.subarray(value, this.#at))
      : Number(this.#block.toString('latin1', value, this.#at));
  }

  #readInteger(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#block[this.#at++]! & mask;
    if (value < mask) return value;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#block[this.#at++]!;
      value += (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}

/** A status has three digits. In HPACK's Huffman code, 0 to 2 have five bits; 3 to 9 have six and start at 25. */
function huffmanDigits(bytes: Buffer): number {
  let bits = 0;
  for (let i = 0; i < 3; i++) bits = (bits << 8) | (bytes[i] ?? 0xff);
  let left = 24;
  let value = 0;
  for (let digit = 0; digit < 3; digit++) {
    const five = (bits >> (left - 5)) & 31;
    const isShort = five <= 2;
    value = value * 10 + (isShort ? five : ((bits >> (left - 6)) & 63) - 25 + 3);
    left -= isShort ? 5 : 6;
  }
  return value;
}
