import { parseExactJson } from './exact-json.ts';

/** The maximum size of one line. */
const maxLine = 16 * 1024 * 1024;

/** Splits a stream into lines of JSON. */
export class JsonLines {
  readonly #onValue: (value: object) => void;
  #rest: Buffer[] = [];
  #size = 0;

  constructor(onValue: (value: object) => void) {
    this.#onValue = onValue;
  }

  /** Throws for a line that is too long or not JSON. */
  add(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      const line = Buffer.concat(this.#rest);
      this.#rest = [];
      this.#size = 0;
      if (line.toString().trim() !== '') this.#onValue(parseExactJson(line) as object);
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > maxLine) throw new Error('a line of the stream is too long');
    this.#rest.push(chunk);
  }
}
