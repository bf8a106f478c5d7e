import { decodeHuffman } from './huffman.ts';
import { staticLength, staticNames, staticValues } from './static-table.ts';

/** The overhead that is counted for every table entry and every header field (RFC 7541, section 4.1). */
export const fieldOverhead = 32;
/** The size of the table that a client may use until the settings change it. */
export const defaultTableSize = 4096;
/** Longer integers cannot be lengths or indices. */
const maxIntegerShift = 21;

export interface HeaderDecoderOptions {
  /** The maximum size of the fields of one block, in bytes with their overhead. */
  readonly maxListSize: number;
}

/** Decodes the header blocks of one connection (HPACK, RFC 7541). Blocks must be decoded in the order of arrival. */
export class HeaderDecoder {
  /**
   * Changes whenever the table changes. A block that refers to the table has the same meaning as long as the version
   * stays the same.
   */
  version = 0;
  /** Whether the fields of the last block exceeded the limit. Then they are incomplete. */
  isTooLarge = false;
  readonly #maxListSize: number;
  /** The entries of the dynamic table, the newest last. Those before `#first` are evicted. */
  #names: string[] = [];
  #values: string[] = [];
  #first = 0;
  #size = 0;
  #maxSize = defaultTableSize;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  constructor({ maxListSize }: HeaderDecoderOptions) {
    this.#maxListSize = maxListSize;
  }

  /** The size of the dynamic table in bytes. */
  get tableSize(): number {
    return this.#size;
  }

  /**
   * Returns names and values, alternating. Undefined when the block is invalid: later blocks cannot be decoded then
   * either.
   */
  decode(block: Buffer): string[] | undefined {
    this.#block = block;
    this.#at = 0;
    this.#end = block.length;
    this.isTooLarge = false;
    const fields: string[] = [];
    let size = 0;
    while (this.#at < this.#end) {
      const first = block[this.#at]!;
      let name: string | undefined;
      let value: string | undefined;
      if (first >= 0x80) {
        const index = this.#integer(0x7f);
        name = this.#nameAt(index);
        value = this.#valueAt(index);
      } else if (first >= 0x20 && first < 0x40) {
        // A size update must precede all fields.
        if (fields.length > 0 || size > 0 || !this.#resize(this.#integer(0x1f))) return undefined;
        continue;
      } else {
        const index = this.#integer(first >= 0x40 ? 0x3f : 0x0f);
        name = index === 0 ? this.#text() : this.#nameAt(index);
        value = this.#text();
        if (first >= 0x40 && name !== undefined && value !== undefined) this.#insert(name, value);
      }
      if (name === undefined || value === undefined) return undefined;
      size += name.length + value.length + fieldOverhead;
      // The rest is still decoded, because later blocks refer to its table entries.
      if (size > this.#maxListSize) this.isTooLarge = true;
      else fields.push(name, value);
    }
    return fields;
  }

  #nameAt(index: number): string | undefined {
    return index <= staticLength ? (index > 0 ? staticNames[index] : undefined) : this.#names[this.#position(index)];
  }

  #valueAt(index: number): string | undefined {
    return index <= staticLength ? (index > 0 ? staticValues[index] : undefined) : this.#values[this.#position(index)];
  }

  /** Returns the position of an entry. Evicted and nonexistent entries have no position. */
  #position(index: number): number {
    const position = this.#names.length - (index - staticLength);
    return position >= this.#first ? position : -1;
  }

  /**
   * Reads the integer at the current position whose prefix has this mask. Returns -1 when it is invalid or too large.
   */
  #integer(mask: number): number {
    let value = this.#block[this.#at++]! & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= maxIntegerShift && this.#at < this.#end; shift += 7) {
      const byte = this.#block[this.#at++]!;
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  }

  #text(): string | undefined {
    if (this.#at >= this.#end) return undefined;
    const isHuffman = this.#block[this.#at]! >= 0x80;
    const length = this.#integer(0x7f);
    const start = this.#at;
    if (length < 0 || length > this.#end - start) return undefined;
    this.#at = start + length;
    return isHuffman ? decodeHuffman(this.#block, start, this.#at) : this.#block.toString('latin1', start, this.#at);
  }

  #insert(name: string, value: string): void {
    const size = name.length + value.length + fieldOverhead;
    this.version++;
    this.#evict(this.#maxSize - size);
    // An entry that is larger than the table empties it.
    if (size > this.#maxSize) return;
    this.#names.push(name);
    this.#values.push(value);
    this.#size += size;
  }

  #resize(size: number): boolean {
    if (size < 0 || size > defaultTableSize) return false;
    this.version++;
    this.#maxSize = size;
    this.#evict(size);
    return true;
  }

  #evict(target: number): void {
    while (this.#size > target && this.#first < this.#names.length) {
      this.#size -= this.#names[this.#first]!.length + this.#values[this.#first]!.length + fieldOverhead;
      // The memory of evicted entries is freed immediately. Their places in the arrays are freed in bulk.
      this.#names[this.#first] = '';
      this.#values[this.#first] = '';
      this.#first++;
    }
    if (this.#first > 128) {
      this.#names = this.#names.slice(this.#first);
      this.#values = this.#values.slice(this.#first);
      this.#first = 0;
    }
  }
}
