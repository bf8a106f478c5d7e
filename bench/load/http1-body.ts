const carriageReturn = 13;
const lineFeed = 10;

/** Counts the bytes of one HTTP/1.1 body, with a content length or chunked, without assembling it. */
export class BodyReader {
  length = 0;
  done = false;
  /** The body of an error, so that messages can include it. */
  kept = '';
  readonly #keep: boolean;
  readonly #chunked: boolean;
  /** Remaining bytes of this chunk, or of the whole body when it is not chunked. */
  #left: number;
  /** The digits of a chunk size received so far. */
  #sizeLine = '';
  #last = false;

  constructor(head: string, status: number) {
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#keep = status >= 300;
    this.#chunked = length === undefined;
    this.#left = Number(length ?? 0);
    if (this.#chunked && !/\r\ntransfer-encoding: *chunked/i.test(head)) {
      throw new Error(`an answer without content-length and not in chunks:\n${head}`);
    }
    this.done = length === '0';
  }

  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.done) {
      if (this.#left > 0) at = this.#readData(bytes, at);
      else at = this.#readSizeLine(bytes, at);
    }
  }

  #readData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    if (this.#keep) this.kept += bytes.toString('utf8', at, end);
    this.length += end - at;
    this.#left -= end - at;
    if (this.#left === 0 && !this.#chunked) this.done = true;
    return end;
  }

  #readSizeLine(bytes: Buffer, at: number): number {
    const byte = bytes[at]!;
    if (byte === lineFeed) {
      // The empty line after the data of a chunk is skipped; the one after the chunk of size 0 ends the body. No
      // trailers.
      if (this.#last) this.done = true;
      else if (this.#sizeLine !== '') {
        this.#left = Number.parseInt(this.#sizeLine, 16);
        this.#last = this.#left === 0;
        this.#sizeLine = '';
      }
    } else if (byte !== carriageReturn) this.#sizeLine += String.fromCharCode(byte);
    return at + 1;
  }
}
