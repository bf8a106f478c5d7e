import { createReadStream } from 'node:fs';
import { TransferError } from '../transfer-error.ts';

const lineFeed = 0x0a;
/** Larger than any object. */
const maxLineBytes = 16 * 1024 * 1024;

export interface Line {
  readonly bytes: Buffer;
  /** The offset of the next line. */
  readonly end: number;
}

/** The complete lines of a file, without their line feeds. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let end = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, start)) {
      end += at + 1 - start;
      yield { bytes: bytes.subarray(start, at), end };
      start = at + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
    if (rest.length > maxLineBytes) throw new TransferError(`${path} has a line that is too long`);
  }
}
