import type { Writable } from 'node:stream';
import type { LineFile } from './line-file.ts';

/** Lines on their way to somebody else's stream, which stays open. */
export class LineStream implements LineFile {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(lines: readonly Buffer[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(Buffer.concat(lines), (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
