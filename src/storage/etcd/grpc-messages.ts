const prefixBytes = 5;
const noBytes = Buffer.alloc(0);

/** The parts of a message in the form in which gRPC sends it: uncompressed, with its length. Copies the first one. */
export function framed([first = noBytes, ...others]: readonly Buffer[]): readonly Buffer[] {
  const frame = Buffer.allocUnsafe(prefixBytes + first.length);
  frame[0] = 0;
  frame.writeUInt32BE(first.length + lengthOf(others), 1);
  first.copy(frame, prefixBytes);
  return [frame, ...others];
}

function lengthOf(parts: readonly Buffer[]): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

/** Finds the messages in the bytes of a stream. Messages are parts of larger blocks, which they keep in memory. */
export class MessageReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;
  /** The length of the next message with its prefix, once the prefix has arrived. */
  #wanted = prefixBytes;
  #hasPrefix = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** The next whole message. Throws a RangeError for one that is too large, and for one that is compressed. */
  next(): Buffer | undefined {
    if (this.#length < this.#wanted) return undefined;
    if (!this.#hasPrefix) {
      const [first] = this.#chunks;
      const prefix = first!.length >= prefixBytes ? first! : this.#join();
      const size = prefix.readUInt32BE(1);
      if (prefix[0] !== 0) throw new RangeError('a compressed message, which was not asked for');
      if (size > this.#maxBytes) {
        throw new RangeError(`Received message larger than max (${size} vs ${this.#maxBytes})`);
      }
      this.#hasPrefix = true;
      this.#wanted = prefixBytes + size;
      if (this.#length < this.#wanted) return undefined;
    }
    const all = this.#join();
    const end = this.#wanted;
    const message = all.subarray(prefixBytes, end);
    this.#chunks = end === all.length ? [] : [all.subarray(end)];
    this.#length -= end;
    this.#wanted = prefixBytes;
    this.#hasPrefix = false;
    return message;
  }

  #join(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    return this.#chunks[0]!;
  }
}
