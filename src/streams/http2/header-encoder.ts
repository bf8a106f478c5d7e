import { defaultTableSize, fieldOverhead } from './header-decoder.ts';
import { encodeHuffman, huffmanLength } from './huffman.ts';
import { staticLength, staticNames, staticValues } from './static-table.ts';

/** Names in lower case. */
export type HeaderValues = Readonly<Record<string, string | number | readonly string[]>>;

export interface ResponseHead {
  readonly status: number;
  /** Those of `headers` take precedence. */
  readonly early?: HeaderValues | undefined;
  readonly headers: HeaderValues;
  /** Sent as `content-length`, instead of one that the headers have. */
  readonly length?: number | undefined;
  /** The value of `date` unless the headers have one. */
  readonly date?: string | undefined;
}

/** Headers with few values, which are remembered by the client and then cost one byte. */
const remembered = new Set([
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
/** HTTP/2 has no such headers. `connection` is dropped: responses that mean both versions have it. */
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
/** The size of early headers that are repeated as a whole, in bytes. One that is in the table takes one or two. */
const maxEarlyFields = 32;
const neverIndexed = 0x10;
const withIndexing = 0x40;
const indexed = 0x80;

interface KnownName {
  readonly name: string;
  readonly staticIndex: number;
  readonly isDropped: boolean;
  readonly isRemembered: boolean;
  /** A unique number below 32 if it is remembered, else -1. */
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

/**
 * Encodes the header blocks of one connection (HPACK, RFC 7541). Blocks must be sent in the order in which they are
 * encoded. Nothing is ever evicted from the client's table: once it is full, it does not change.
 */
export class HeaderEncoder {
  /** The positions of remembered fields in the order of insertion, by name and value. */
  readonly #positions = new Map<string, number>();
  /** The last remembered value of each slot and its position: most responses repeat it. */
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
  /** The client has changed the size of its table, and the next block must contain the size update. */
  #resized = false;
  #at = 0;

  /** The client has announced how large a table it has. */
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

  /**
   * The block of a response, valid until the next call. Throws a TypeError for an invalid header; nothing must be sent
   * then.
   */
  encode(head: ResponseHead): Buffer {
    const { early, headers, length, date } = head;
    // Checked first: what is written once is in the client's table.
    this.#check(headers);
    // Responses share these, and those of the last one have been checked.
    if (early !== undefined && early !== this.#lastEarly) {
      this.#check(early);
      this.#lastEarly = early;
      this.#earlyTableLength = -1;
    }
    this.#at = 0;
    if (this.#resized) this.#writeResize();
    this.#writeStatus(head.status);
    let slots = 0;
    for (const name in headers) slots |= this.#writeHeader(nameOf(name), headers[name]!, length);
    if (early !== undefined) {
      if (this.#earlyTableLength === this.#positions.size && (slots & this.#earlySlots) === 0) this.#repeatEarly();
      else this.#writeEarly(early, headers, length);
    }
    if (length !== undefined) this.#writeLiteral(nameOf('content-length'), String(length));
    if (date !== undefined && headers.date === undefined && early?.date === undefined) {
      this.#writeLiteral(nameOf('date'), date);
    }
    return scratch.subarray(0, this.#at);
  }

  #check(headers: HeaderValues): void {
    for (const name in headers) {
      const { slot } = nameOf(name);
      const value = headers[name]!;
      if (typeof value === 'string') {
        // Values that were sent before have already been checked.
        if (slot < 0 || this.#lastValues[slot] !== value) checkValue(name, value);
      } else if (typeof value === 'object') {
        for (const one of value) checkValue(name, one);
      }
    }
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
    if (known.isDropped || (length !== undefined && known.name === 'content-length')) return 0;
    if (typeof value === 'string') this.#writeField(known, value);
    else if (typeof value === 'number') this.#writeLiteral(known, String(value));
    else for (const one of value) this.#writeField(known, one);
    return known.slot < 0 ? 0 : 1 << known.slot;
  }

  #writeField(known: KnownName, value: string): void {
    if (known.isRemembered) this.#writeRemembered(known, value);
    else this.#writeLiteral(known, value);
  }

  #writeRemembered(known: KnownName, value: string): void {
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
    for (let index = 0; index < value.length; index++) target[at++] = value.charCodeAt(index);
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
    this.#resized = false;
    this.#reserve(8);
    this.#writeInteger(0x20, 0x1f, 0);
    if (this.#maxTableSize > 0) this.#writeInteger(0x20, 0x1f, this.#maxTableSize);
  }

  /** Only for what is sent once: compressing takes longer than it saves. */
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
  if (badValue.test(value)) throw new TypeError(`the value of header ${name} contains an invalid character`);
}

function nameOf(name: string): KnownName {
  return knownNames.get(name) ?? learnName(name);
}

function learnName(given: string): KnownName {
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
    isRemembered: remembered.has(name),
    slot: [...remembered].indexOf(name),
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
