const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const blank = 0x20;
const lineFeed = 0x0a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The output chunk size: large enough for few writes, small enough for many concurrent responses. */
const pieceSize = 64 * 1024;
/** The maximum number of output bytes for one input byte, without indentation. */
const margin = 3;
/** Deeper values stay on one line. The size of the indentation would grow with the square of the depth. */
const maxDepth = 64;

/** Pretty-prints a compact JSON document, with two spaces per level and no final newline. */
export function indentJson(document: Buffer): Buffer {
  const pieces = [...indentedChunks([document])];
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/**
 * Pretty-prints a document that arrives in chunks, which may be split anywhere. The text is copied, not parsed: keys
 * keep their order, numbers keep their digits, and only one output chunk is in memory. The document must be valid.
 */
export function* indentedChunks(document: Iterable<Buffer>): Generator<Buffer> {
  const indenter = new Indenter();
  for (const piece of document) {
    let at = 0;
    while (at < piece.length) {
      at = indenter.fill(piece, at);
      if (at < piece.length) yield indenter.take();
    }
  }
  if (indenter.size > 0) yield indenter.take();
}

class Indenter {
  size = 0;
  #out = Buffer.alloc(0);
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Set directly after an opening bracket. A line break follows unless the container is empty. */
  #opened = false;

  /** Returns the output so far and starts a new chunk. */
  take(): Buffer {
    const made = this.#out.subarray(0, this.size);
    this.#out = Buffer.alloc(0);
    this.size = 0;
    return made;
  }

  /** Indents from an offset of the text until its end or until the chunk is full. Returns the offset of the rest. */
  fill(text: Buffer, start: number): number {
    this.#reserve(text.length - start);
    let at = start;
    while (at < text.length && this.#out.length - this.size >= 2 * this.#depth + margin) {
      at = this.#inString ? this.#copyString(text, at) : this.#copyToken(text, at);
    }
    return at;
  }

  #reserve(length: number): void {
    if (this.size > 0) return;
    // Indentation at most doubles the size of most documents. The second term ensures progress in a very deep one.
    const size = Math.max(Math.min(2 * length, pieceSize), 2 * this.#depth + 64);
    this.#out = Buffer.allocUnsafeSlow(size);
  }

  #copyString(text: Buffer, start: number): number {
    const out = this.#out;
    const end = Math.min(text.length, start + out.length - this.size);
    let escaped = this.#escaped;
    let size = this.size;
    let at = start;
    while (at < end) {
      const byte = text[at++]!;
      out[size++] = byte;
      if (escaped) {
        escaped = false;
      } else if (byte === backslash) {
        escaped = true;
      } else if (byte === quote) {
        this.#inString = false;
        break;
      }
    }
    this.#escaped = escaped;
    this.size = size;
    return at;
  }

  #copyToken(text: Buffer, at: number): number {
    const byte = text[at]!;
    switch (byte) {
      case openBrace:
      case openBracket:
        this.#value(byte);
        this.#depth++;
        this.#opened = true;
        break;
      case closeBrace:
      case closeBracket:
        this.#depth--;
        if (!this.#opened) this.#line();
        this.#opened = false;
        this.#out[this.size++] = byte;
        break;
      case comma:
        this.#out[this.size++] = byte;
        this.#line();
        break;
      case colon:
        this.#out[this.size++] = byte;
        this.#out[this.size++] = blank;
        break;
      case quote:
        this.#value(byte);
        this.#inString = true;
        break;
      default:
        // White space between tokens is dropped. All other bytes belong to numbers and literals.
        if (byte > blank) this.#value(byte);
    }
    return at + 1;
  }

  #value(byte: number): void {
    if (this.#opened) this.#line();
    this.#opened = false;
    this.#out[this.size++] = byte;
  }

  #line(): void {
    if (this.#depth > maxDepth) return;
    this.#out[this.size++] = lineFeed;
    const end = this.size + 2 * this.#depth;
    this.#out.fill(blank, this.size, end);
    this.size = end;
  }
}
