/** The part of HTTP/2 framing (RFC 9113) that a client which repeats one request needs. */

export const frameType = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, windowUpdate: 8 } as const;
export const frameFlag = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** Valid only during the call. For a data frame, only the bytes received so far. */
  readonly payload: Buffer;
}

export const frameHeaderLength = 9;

export function frame(head: Omit<Frame, 'payload'>, payload: Buffer = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.allocUnsafe(frameHeaderLength + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = head.type;
  bytes[4] = head.flags;
  bytes.writeUInt32BE(head.stream, 5);
  payload.copy(bytes, frameHeaderLength);
  return bytes;
}

export function windowUpdate(stream: number, bytes: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(bytes);
  return frame({ type: frameType.windowUpdate, flags: 0, stream }, payload);
}

export function settings(values: ReadonlyMap<number, number>): Buffer {
  const payload = Buffer.alloc(values.size * 6);
  let at = 0;
  for (const [name, value] of values) {
    payload.writeUInt16BE(name, at);
    payload.writeUInt32BE(value, at + 2);
    at += 6;
  }
  return frame({ type: frameType.settings, flags: 0, stream: 0 }, payload);
}

/**
 * Splits received bytes into frames. Data frames are passed on in pieces as they arrive, the other, short frames whole.
 */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  /** The start of an incomplete frame. */
  #rest: Buffer | undefined;
  #dataLeft = 0;
  #dataFlags = 0;
  #dataStream = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  read(received: Buffer): void {
    const bytes = this.#rest ? Buffer.concat([this.#rest, received]) : received;
    this.#rest = undefined;
    let at = 0;
    while (at < bytes.length) {
      if (this.#dataLeft > 0) {
        const end = Math.min(bytes.length, at + this.#dataLeft);
        this.#dataLeft -= end - at;
        this.#emitData(bytes.subarray(at, end));
        at = end;
        continue;
      }
      const payloadStart = at + frameHeaderLength;
      if (payloadStart > bytes.length) break;
      const length = bytes.readUIntBE(at, 3);
      const type = bytes[at + 3]!;
      const flags = bytes[at + 4]!;
      const stream = bytes.readUInt32BE(at + 5) & 0x7fffffff;
      if (type === frameType.data) {
        this.#dataLeft = length;
        this.#dataFlags = flags;
        this.#dataStream = stream;
        if (length === 0) this.#emitData(bytes.subarray(0, 0));
        at = payloadStart;
        continue;
      }
      if (payloadStart + length > bytes.length) break;
      at = payloadStart + length;
      this.#onFrame({ type, flags, stream, payload: bytes.subarray(payloadStart, at) });
    }
    // The next read overwrites the buffer, so this must be a copy.
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at));
  }

  /** The end-of-stream flag is passed on with the last piece only. */
  #emitData(payload: Buffer): void {
    const flags = this.#dataLeft > 0 ? this.#dataFlags & ~frameFlag.endStream : this.#dataFlags;
    this.#onFrame({ type: frameType.data, flags, stream: this.#dataStream, payload });
  }
}
