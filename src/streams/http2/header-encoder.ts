import { defaultTableSize, fieldOverhead } from './header-decoder.ts';
import { encodeHuffman, huffmanLength } from './huffman.ts';
import { staticLength, staticNames, staticValues } from './static-table.ts';

/** Names in lower case. */
export type HeaderValues = Readonly<Record<string, string | number | readonly string[]>>;

export interface ResponseHead {
  readonly status: number;
  /** Headers that were set earlier. Those of `headers` take precedence. */
  readonly early?: HeaderValues | undefined;
  readonly headers: HeaderValues;
  /** Sent as `content-length`, instead of the value in the headers. */
  readonly length?: number | undefined;
  /** The value of `date`, unless the headers contain one. */
  readonly date?: string | undefined;
}

/** Headers with few different values. They are added to the client's table and then take one byte. */
const indexedNames = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'cache-control',
  'content-encoding',
  'content-type',
  'server',
  'vary',
  'x-content-type-options',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
]);
/** Headers that HTTP/2 does not allow. `connection` is dropped, because responses for both versions may contain it. */
const connectionHeaders = new Set([
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
const namePattern = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const badValue = /[^\t\x20-\x7e\x80-\xff]/;
/**
 * The maximum size of early headers that are repeated as a whole, in bytes. A header in the table takes one or two
 * bytes.
 */
const maxEarlyFields = 32;
const neverIndexed = 0x10;
const withIndexing = 0x40;
const indexed = 0x80;

interface KnownName {
  readonly name: string;
  readonly staticIndex: number;
  readonly isDropped: boolean;
  /** A unique number below 32 if the header is added to the table, otherwise -1. */
  readonly slot: number;
  /** The start of a literal field with this name. */
  readonly literal: Buffer;
}

/** Shared by all connections, and bounded because backends also choose header names. */
const knownNames = new Map<string, KnownName>();
const maxKnownNames = 1000;
const statusIndices = new Map<number, number>();
for (let index = 1; index <= staticLength; index++) {
  if (staticNames[index] === ':status') statusIndices.set(Number(staticValues[index]), index);
}
const statusName = staticNames.indexOf(':status');

/** Blocks are encoded here and copied from here into frames. */
let scratch: Buffer = Buffer.allocUnsafeSlow(4096);
const contentLength = nameOf('content-length');
const dateName = nameOf('date');
let lastDate = '';
let lastDateField: Uint8Array = new Uint8Array(0);
/** Headers of the block that is being encoded that may change the client's table. */
const laterNames: KnownName[] = [];
const laterValues: HeaderValues[string][] = [];

/**
 * Encodes the header blocks of one connection (HPACK, RFC 7541). Blocks must be sent in the order in which they are
 * encoded. Nothing is ever evicted from the client's table: once it is full, it does not change.
 */
export class HeaderEncoder {
  /** The positions of the fields in the client's table in the order of insertion, by name and value. */
  readonly #positions = new Map<string, number>();
  /** The last value of each slot in the table, and its position: most responses repeat it. */
  readonly #lastValues: string[] = [];
  readonly #lastPositions: number[] = [];
  #lastEarly: HeaderValues | undefined;
  /** The fields of `#lastEarly`, valid as long as the table has this length. -1 when some are not in the table. */
  readonly #earlyFields = new Uint8Array(maxEarlyFields);
  #earlyLength = 0;
  #earlyTableLength = -1;
  /** The slots of these fields, as bits. */
  #earlySlots = 0;
  #tableSize = 0;
  #maxTableSize = defaultTableSize;
  /** Whether the client has changed the size of its table, so that the next block must contain the size update. */
  #resized = false;
  #at = 0;

  /** Sets the size of the client's table, as announced by the client. */
  setTableSize(size: number): void {
    const allowed = Math.min(size, defaultTableSize);
    if (allowed === this.#maxTableSize && !this.#resized) return;
    this.#maxTableSize = allowed;
    this.#resized = true;
    this.#positions.clear();
    this.#lastValues.length = 0;
    this.#lastPositions.length = 0;
    this.#earlyTableLength = -1;
    this.#tableSize = 0;
  }

  /** The bytes of the last block. Valid until the next call of `encode`. */
  get bytes(): Buffer {
    return scratch;
  }

  /**
   * Encodes the block of a response and returns its length. Throws a TypeError for an invalid header; nothing must be
   * sent then.
   */
  encode(head: ResponseHead): number {
    const { early, headers, length, date } = head;
    this.#at = 0;
    if (this.#resized) this.#writeResize();
    this.#writeStatus(head.status);
    // Headers that do not change the client's table come first: they are checked while they are written.
    let slots = 0;
    let laterCount = 0;
    for (const name in headers) {
      const known = nameOf(name);
      const value = headers[name]!;
      if (known.slot < 0) this.#writeLiterals(known, value, length);
      else {
        this.#checkIndexed(known, value);
        slots |= 1 << known.slot;
        laterNames[laterCount] = known;
        laterValues[laterCount++] = value;
      }
    }
    if (length !== undefined) this.#writeLiteral(contentLength, String(length));
    if (date !== undefined && headers.date === undefined && early?.date === undefined) this.#writeDate(date);
    // Responses share these headers, and those of the last response have been checked.
    if (early !== undefined && early !== this.#lastEarly) {
      this.#check(early);
      this.#lastEarly = early;
      this.#earlyTableLength = -1;
    }
    // From here on, no header is rejected.
    this.#resized = false;
    for (let index = 0; index < laterCount; index++) this.#writeHeader(laterNames[index]!, laterValues[index]!, length);
    if (early !== undefined) {
      if (this.#earlyTableLength === this.#positions.size && (slots & this.#earlySlots) === 0) this.#repeatEarly();
      else this.#writeEarly(early, headers, length);
    }
    return this.#at;
  }

  #check(headers: HeaderValues): void {
    for (const name in headers) {
      const known = nameOf(name);
      const value = headers[name]!;
      if (known.slot >= 0) this.#checkIndexed(known, value);
      else if (typeof value === 'string') checkValue(name, value);
      else if (typeof value === 'object') for (const one of value) checkValue(name, one);
    }
  }

  #checkIndexed({ name, slot }: KnownName, value: HeaderValues[string]): void {
    if (typeof value === 'string') {
      // Values that were sent before have already been checked.
      if (this.#lastValues[slot] !== value) checkValue(name, value);
    } else if (typeof value === 'object') {
      for (const one of value) checkValue(name, one);
    }
  }

  #writeLiterals(known: KnownName, value: HeaderValues[string], length: number | undefined): void {
    if (known.isDropped || (length !== undefined && known.name === contentLength.name)) return;
    if (typeof value === 'string') this.#writeLiteral(known, value);
    else if (typeof value === 'number') this.#writeLiteral(known, String(value));
    else for (const one of value) this.#writeLiteral(known, one);
  }

  /** Most responses within a second have the same date. */
  #writeDate(date: string): void {
    if (date !== lastDate) {
      const start = this.#at;
      this.#writeLiteral(dateName, date);
      lastDateField = Uint8Array.prototype.slice.call(scratch, start, this.#at);
      lastDate = date;
      return;
    }
    const field = lastDateField;
    this.#reserve(field.length);
    const target = scratch;
    let at = this.#at;
    for (let index = 0; index < field.length; index++) target[at++] = field[index]!;
    this.#at = at;
  }

  #writeEarly(early: HeaderValues, headers: HeaderValues, length: number | undefined): void {
    const start = this.#at;
    const tableLength = this.#positions.size;
    let slots = 0;
    let areInTable = true;
    for (const name in early) {
      if (headers[name] !== undefined) {
        areInTable = false;
        continue;
      }
      const known = nameOf(name);
      const bit = this.#writeHeader(known, early[name]!, length);
      if (bit === 0 || this.#lastValues[known.slot] !== early[name]) areInTable = false;
      slots |= bit;
    }
    const size = this.#at - start;
    if (!areInTable || this.#positions.size !== tableLength || size > maxEarlyFields) return;
    for (let index = 0; index < size; index++) this.#earlyFields[index] = scratch[start + index]!;
    this.#earlyLength = size;
    this.#earlySlots = slots;
    this.#earlyTableLength = tableLength;
  }

  #repeatEarly(): void {
    const size = this.#earlyLength;
    this.#reserve(size);
    for (let index = 0; index < size; index++) scratch[this.#at++] = this.#earlyFields[index]!;
  }

  /** Returns the slot of the header as a bit, 0 if it has none. */
  #writeHeader(known: KnownName, value: HeaderValues[string], length: number | undefined): number {
    if (known.slot < 0) {
      this.#writeLiterals(known, value, length);
      return 0;
    }
    if (typeof value === 'string') this.#writeIndexed(known, value);
    else if (typeof value === 'number') this.#writeIndexed(known, String(value));
    else for (const one of value) this.#writeIndexed(known, one);
    return 1 << known.slot;
  }

  #writeIndexed(known: KnownName, value: string): void {
    const { slot } = known;
    if (this.#lastValues[slot] === value) {
      this.#reserve(8);
      this.#writeInteger(indexed, 0x7f, staticLength + this.#positions.size - this.#lastPositions[slot]!);
      return;
    }
    const key = `${known.name}\0${value}`;
    const position = this.#positions.get(key);
    if (position !== undefined) {
      this.#lastValues[slot] = value;
      this.#lastPositions[slot] = position;
      this.#reserve(8);
      this.#writeInteger(indexed, 0x7f, staticLength + this.#positions.size - position);
      return;
    }
    const size = known.name.length + value.length + fieldOverhead;
    if (this.#tableSize + size > this.#maxTableSize) {
      this.#writeLiteral(known, value);
      return;
    }
    this.#positions.set(key, this.#positions.size);
    this.#tableSize += size;
    this.#reserve(known.name.length + value.length + 16);
    this.#writeInteger(withIndexing, 0x3f, known.staticIndex);
    if (known.staticIndex === 0) this.#writeText(known.name);
    this.#writeText(value);
  }

  #writeLiteral(known: KnownName, value: string): void {
    const { literal } = known;
    this.#reserve(literal.length + value.length + 8);
    const target = scratch;
    let at = this.#at;
    for (let index = 0; index < literal.length; index++) target[at++] = literal[index]!;
    this.#at = at;
    this.#writeInteger(0, 0x7f, value.length);
    at = this.#at;
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code < 0x20 ? code !== 9 : code === 0x7f || code > 0xff) throw badValueOf(known.name);
      target[at++] = code;
    }
    this.#at = at;
  }

  #writeStatus(status: number): void {
    this.#reserve(8);
    const index = statusIndices.get(status);
    if (index !== undefined) {
      scratch[this.#at++] = indexed | index;
      return;
    }
    scratch[this.#at++] = statusName;
    this.#writeText(String(status));
  }

  /** Empties the client's table and sets its new size. */
  #writeResize(): void {
    this.#reserve(8);
    this.#writeInteger(0x20, 0x1f, 0);
    if (this.#maxTableSize > 0) this.#writeInteger(0x20, 0x1f, this.#maxTableSize);
  }

  /**
   * Writes a text, Huffman-coded if that is shorter. Used only for texts that are sent once and then kept in the table.
   * For others, compressing takes longer than it saves.
   */
  #writeText(text: string): void {
    const compressed = huffmanLength(text);
    if (compressed < text.length) {
      this.#writeInteger(0x80, 0x7f, compressed);
      this.#at = encodeHuffman(text, scratch, this.#at);
    } else {
      this.#writeInteger(0, 0x7f, text.length);
      this.#at += scratch.write(text, this.#at, 'latin1');
    }
  }

  #writeInteger(pattern: number, mask: number, value: number): void {
    if (value < mask) {
      scratch[this.#at++] = pattern | value;
      return;
    }
    scratch[this.#at++] = pattern | mask;
    let rest = value - mask;
    for (; rest >= 0x80; rest >>>= 7) scratch[this.#at++] = (rest & 0x7f) | 0x80;
    scratch[this.#at++] = rest;
  }

  #reserve(size: number): void {
    if (this.#at + size <= scratch.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + size));
    scratch.copy(larger, 0, 0, this.#at);
    scratch = larger;
  }
}

function checkValue(name: string, value: string): void {
  if (badValue.test(value)) throw badValueOf(name);
}

function badValueOf(name: string): TypeError {
  return new TypeError(`the value of header ${name} contains an invalid character`);
}

function nameOf(name: string): KnownName {
  return knownNames.get(name) ?? addName(name);
}

function addName(given: string): KnownName {
  const name = given.toLowerCase();
  if (!namePattern.test(name) || connectionHeaders.has(name)) {
    throw new TypeError(`HTTP/2 has no header ${JSON.stringify(given)}`);
  }
  const staticIndex = Math.max(0, staticNames.indexOf(name));
  const pattern = name === 'set-cookie' ? neverIndexed : 0;
  const known = {
    name,
    staticIndex,
    isDropped: name === 'connection',
    slot: [...indexedNames].indexOf(name),
    literal: literalStart(pattern, staticIndex, name),
  };
  if (knownNames.size < maxKnownNames) knownNames.set(given, known);
  return known;
}

function literalStart(pattern: number, staticIndex: number, name: string): Buffer {
  if (staticIndex > 0) return Buffer.from(integer(pattern, 0x0f, staticIndex));
  return Buffer.from([pattern, ...integer(0, 0x7f, name.length), ...Buffer.from(name, 'latin1')]);
}

function integer(pattern: number, mask: number, value: number): number[] {
  if (value < mask) return [pattern | value];
  const bytes = [pattern | mask];
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
