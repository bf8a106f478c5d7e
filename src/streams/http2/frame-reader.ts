import {
  clientPreface,
  defaultMaxFrameSize,
  type ErrorCode,
  errorCodes,
  flags,
  frameHeaderLength,
  frameTypes,
} from './protocol.ts';

/** The header of a frame. One object is used for all of them. */
export interface FrameHead {
  type: number;
  flags: number;
  id: number;
  /** The length of the payload in bytes, including padding. */
  length: number;
}

/** The handler of the peer's frames. */
export interface FrameHandler {
  /** Once true, no further frame is read. */
  readonly isClosed: boolean;
  /** Called for a frame other than data. The payload is valid during the call. */
  onFrame(head: FrameHead, payload: Buffer): void;
  /** Called when a data frame begins. Its bytes follow as they arrive, without padding. */
  onDataBegin(head: FrameHead): void;
  onData(chunk: Buffer): void;
  onDataEnd(): void;
  /** Called when the bytes are not valid frames, or a frame exceeds the limit. */
  onBrokenFrame(code: ErrorCode): void;
}

/** Splits the received bytes into frames. Data frames are delivered in pieces, other frames as a whole. */
export class FrameReader {
  readonly #handler: FrameHandler;
  readonly #head: FrameHead = { type: 0, flags: 0, id: 0, length: 0 };
  #prefaceRead: number;
  #frames = 0;
  /** The start of an incomplete frame. */
  #rest: Buffer | undefined = undefined;
  #inData = false;
  #dataLeft = 0;
  #paddingLeft = 0;

  constructor(handler: FrameHandler, { peer }: { readonly peer: 'client' | 'server' }) {
    this.#handler = handler;
    // Only clients send a connection preface.
    this.#prefaceRead = peer === 'client' ? 0 : clientPreface.length;
  }

  /** Whether the client has sent the connection preface. */
  get isIntroduced(): boolean {
    return this.#prefaceRead === clientPreface.length;
  }

  /** The number of the frame of which only a part has arrived. Undefined if there is none, and for data. */
  get incompleteFrame(): number | undefined {
    return this.#rest === undefined ? undefined : this.#frames;
  }

  read(received: Buffer): void {
    let bytes = received;
    if (this.#rest !== undefined) {
      bytes = Buffer.concat([this.#rest, received]);
      this.#rest = undefined;
    }
    let at = this.isIntroduced ? 0 : this.#readPreface(bytes);
    while (!this.#handler.isClosed) {
      const next = this.#inData ? this.#readData(bytes, at) : this.#readFrame(bytes, at);
      if (next === -1) break;
      at = next;
    }
    // A copy, because a view would keep the whole buffer in memory.
    if (at < bytes.length && !this.#handler.isClosed) this.#rest = Buffer.from(bytes.subarray(at));
  }

  #readPreface(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && !this.isIntroduced) {
      if (bytes[at++] !== clientPreface[this.#prefaceRead++]) {
        this.#handler.onBrokenFrame(errorCodes.protocolError);
        break;
      }
    }
    return at;
  }

  /** Returns the position after the frame, or -1 when it is incomplete. */
  #readFrame(bytes: Buffer, at: number): number {
    const start = at + frameHeaderLength;
    if (start > bytes.length) return -1;
    const head = this.#head;
    const length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
    head.length = length;
    head.type = bytes[at + 3]!;
    head.flags = bytes[at + 4]!;
    head.id = ((bytes[at + 5]! & 0x7f) << 24) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 8) | bytes[at + 8]!;
    if (length > defaultMaxFrameSize) {
      this.#handler.onBrokenFrame(errorCodes.frameSizeError);
      return start;
    }
    if (head.type === frameTypes.data) return this.#beginData(bytes, start);
    const end = start + length;
    if (end > bytes.length) return -1;
    this.#frames++;
    this.#handler.onFrame(head, bytes.subarray(start, end));
    return end;
  }

  #beginData(bytes: Buffer, start: number): number {
    const { flags: flag, length } = this.#head;
    let at = start;
    this.#paddingLeft = 0;
    this.#dataLeft = length;
    if ((flag & flags.padded) !== 0) {
      if (length > 0 && at >= bytes.length) return -1;
      const padding = length > 0 ? bytes[at++]! : 0;
      if (padding >= length) {
        this.#handler.onBrokenFrame(length === 0 ? errorCodes.frameSizeError : errorCodes.protocolError);
        return at;
      }
      this.#paddingLeft = padding;
      this.#dataLeft = length - 1 - padding;
    }
    this.#frames++;
    this.#handler.onDataBegin(this.#head);
    this.#inData = true;
    return at;
  }

  #readData(bytes: Buffer, start: number): number {
    let at = start;
    if (this.#dataLeft > 0) {
      if (at === bytes.length) return -1;
      const end = Math.min(bytes.length, at + this.#dataLeft);
      this.#dataLeft -= end - at;
      this.#handler.onData(bytes.subarray(at, end));
      at = end;
    }
    if (this.#dataLeft === 0) {
      const skipped = Math.min(bytes.length - at, this.#paddingLeft);
      this.#paddingLeft -= skipped;
      at += skipped;
      if (this.#paddingLeft > 0) return at === start ? -1 : at;
      this.#inData = false;
      this.#handler.onDataEnd();
    }
    return at;
  }
}
