/** The frames of SPDY/3.1 as bytes. */

export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export const flagFin = 1;
export const flagUnidirectional = 2;

/** The status codes of RST_STREAM that are sent here. */
export const resetStatus = { protocolError: 1, refusedStream: 3, cancel: 5, flowControlError: 7 } as const;

/** The status codes of GOAWAY. */
export const goAwayStatus = { ok: 0, protocolError: 1 } as const;

export const settingInitialWindow = 7;

/** The default of both sides until a SETTINGS frame changes it. */
export const defaultWindow = 64 * 1024;

const control = 0x8003;
const headSize = 8;
/** The low 31 bits, which hold stream ids. */
export const idMask = 0x7fffffff;
/** The low 24 bits, which hold lengths. */
const lengthMask = 0xffffff;

interface ControlFrame {
  readonly type: number;
  readonly flags?: number;
  /** 32-bit numbers at the start. */
  readonly numbers: readonly number[];
  readonly rest?: Buffer;
}

function controlFrame({ type, flags = 0, numbers, rest }: ControlFrame): Buffer {
  const fixed = numbers.length * 4;
  const size = fixed + (rest?.length ?? 0);
  const frame = Buffer.allocUnsafe(headSize + size);
  frame.writeUInt16BE(control, 0);
  frame.writeUInt16BE(type, 2);
  frame.writeUInt32BE(flags * 2 ** 24 + size, 4);
  for (const [index, number] of numbers.entries()) frame.writeUInt32BE(number, headSize + index * 4);
  rest?.copy(frame, headSize + fixed);
  return frame;
}

export function synStream(id: number, flags: number, block: Buffer): Buffer {
  // No associated stream; priority 0 and slot 0 in the two bytes before the block.
  const rest = Buffer.concat([Buffer.alloc(2), block]);
  return controlFrame({ type: frameTypes.synStream, flags, numbers: [id, 0], rest });
}

export function synReply(id: number, flags: number, block: Buffer): Buffer {
  return controlFrame({ type: frameTypes.synReply, flags, numbers: [id], rest: block });
}

export function rstStream(id: number, status: number): Buffer {
  return controlFrame({ type: frameTypes.rstStream, numbers: [id, status] });
}

export function initialWindow(size: number): Buffer {
  return controlFrame({ type: frameTypes.settings, numbers: [1, settingInitialWindow, size] });
}

export function ping(id: number): Buffer {
  return controlFrame({ type: frameTypes.ping, numbers: [id] });
}

export function goAway(lastStream: number, status: number): Buffer {
  return controlFrame({ type: frameTypes.goAway, numbers: [lastStream, status] });
}

/** Stream 0 is the connection. */
export function windowUpdate(id: number, size: number): Buffer {
  return controlFrame({ type: frameTypes.windowUpdate, numbers: [id, size] });
}

/** The part of a DATA frame before its bytes. */
export function dataHead(id: number, flags: number, size: number): Buffer {
  const head = Buffer.allocUnsafe(headSize);
  head.writeUInt32BE(id, 0);
  head.writeUInt32BE(flags * 2 ** 24 + size, 4);
  return head;
}

/** Receives the frames of a connection. May throw to end it. */
export interface FrameHandler {
  /** Receives a part of a DATA frame as it arrived. Only the last part has the flags of the frame. */
  data(id: number, flags: number, chunk: Buffer): void;
  control(type: number, flags: number, payload: Buffer): void;
  /** Called for a control frame that is too long or has another version. Must throw. */
  refuse(problem: string): never;
}

/** Finds the frames in the bytes of a connection. Data is delivered as it arrives. Control frames are collected. */
export class FrameReader {
  readonly #handler: FrameHandler;
  readonly #maxControlBytes: number;
  readonly #head = Buffer.alloc(headSize);
  #headFilled = 0;
  #payload: Buffer | undefined;
  #payloadFilled = 0;
  #dataLeft = 0;

  constructor(handler: FrameHandler, { maxControlBytes }: { readonly maxControlBytes: number }) {
    this.#handler = handler;
    this.#maxControlBytes = maxControlBytes;
  }

  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#dataLeft > 0) at = this.#readData(bytes, at);
      else if (this.#payload !== undefined) at = this.#readPayload(bytes, at, this.#payload);
      else at = this.#readHead(bytes, at);
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + headSize - this.#headFilled);
    bytes.copy(this.#head, this.#headFilled, at, end);
    this.#headFilled += end - at;
    if (this.#headFilled < headSize) return end;
    const size = this.#head.readUInt32BE(4) & lengthMask;
    if (this.#isControl) {
      if (this.#head.readUInt16BE(0) !== control) this.#handler.refuse('a frame has another version of the protocol');
      if (size > this.#maxControlBytes) this.#handler.refuse('a control frame is too large');
      this.#payload = Buffer.allocUnsafe(size);
      this.#payloadFilled = 0;
      if (size === 0) this.#finishControl(this.#payload);
    } else if (size === 0) {
      this.#finishData(Buffer.alloc(0));
    } else {
      this.#dataLeft = size;
    }
    return end;
  }

  get #isControl(): boolean {
    return (this.#head[0]! & 0x80) !== 0;
  }

  #readData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#dataLeft);
    const chunk = bytes.subarray(at, end);
    this.#dataLeft -= chunk.length;
    if (this.#dataLeft === 0) this.#finishData(chunk);
    else this.#handler.data(this.#head.readUInt32BE(0), 0, chunk);
    return end;
  }

  #finishData(chunk: Buffer): void {
    this.#headFilled = 0;
    this.#handler.data(this.#head.readUInt32BE(0), this.#head[4]!, chunk);
  }

  #readPayload(bytes: Buffer, at: number, payload: Buffer): number {
    const end = Math.min(bytes.length, at + payload.length - this.#payloadFilled);
    bytes.copy(payload, this.#payloadFilled, at, end);
    this.#payloadFilled += end - at;
    if (this.#payloadFilled === payload.length) this.#finishControl(payload);
    return end;
  }

  #finishControl(payload: Buffer): void {
    this.#headFilled = 0;
    this.#payload = undefined;
    this.#handler.control(this.#head.readUInt16BE(2), this.#head[4]!, payload);
  }
}
