/**
 * Raw HTTP/2 frames, for tests of input that no library would send. The numbers are defined here independently of the
 * tested code.
 */

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flag = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const errorCode = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const;

const frameHeaderLength = 9;

export function frame(type: number, payload: Buffer, { id = 0, flags = 0 } = {}): Buffer {
  const head = Buffer.alloc(frameHeaderLength);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

export const preface: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** The start of every connection: the preface and empty settings. */
export const opening: Buffer = Buffer.concat([preface, settingsFrame([])]);

export function dataFrame(id: number, payload: Buffer | string, flags = 0): Buffer {
  return frame(frameTypes.data, Buffer.from(payload), { id, flags });
}

export function headersFrame(id: number, block: Buffer, flags: number = flag.endHeaders): Buffer {
  return frame(frameTypes.headers, block, { id, flags });
}

export function continuationFrame(id: number, block: Buffer, flags: number = flag.endHeaders): Buffer {
  return frame(frameTypes.continuation, block, { id, flags });
}

export interface Priority {
  readonly dependsOn?: number;
  readonly isExclusive?: boolean;
  /** One less than the weight that it means. */
  readonly weight?: number;
}

/** The payload of a PRIORITY frame, which can also be at the start of HEADERS. */
export function priority({ dependsOn = 0, isExclusive = false, weight = 15 }: Priority): Buffer {
  const payload = Buffer.alloc(5);
  payload.writeUInt32BE(isExclusive ? dependsOn + 2 ** 31 : dependsOn);
  payload[4] = weight;
  return payload;
}

export function priorityFrame(id: number, values: Priority = {}): Buffer {
  return frame(frameTypes.priority, priority(values), { id });
}

export function resetFrame(id: number, code: number): Buffer {
  return frame(frameTypes.reset, uint32(code), { id });
}

export function settingsFrame(values: readonly (readonly [name: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(6 * values.length);
  for (const [index, [name, value]] of values.entries()) {
    payload.writeUInt16BE(name, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  }
  return frame(frameTypes.settings, payload);
}

export const settingsAck: Buffer = frame(frameTypes.settings, Buffer.alloc(0), { flags: flag.ack });

export function pingFrame(payload: Buffer | string, flags = 0): Buffer {
  return frame(frameTypes.ping, Buffer.from(payload), { flags });
}

export function goAwayFrame(lastStream: number, code: number): Buffer {
  return frame(frameTypes.goAway, Buffer.concat([uint32(lastStream), uint32(code)]));
}

export function windowUpdateFrame(id: number, increment: number): Buffer {
  return frame(frameTypes.windowUpdate, uint32(increment), { id });
}

/** The payload of a padded frame. */
export function padded(payload: Buffer | string, length: number): Buffer {
  return Buffer.concat([Buffer.from([length]), Buffer.from(payload), Buffer.alloc(length)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** `POST https://x/` as indexed and literal header fields. */
export const postBlock: Buffer = Buffer.from([0x83, 0x87, 0x84, 0x41, 0x01, 0x78]);

export type Field = readonly [name: string, value: string];

/** Encodes fields as literals that are not added to a table. Every byte can be one that no library would send. */
export function fieldBlock(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

export interface ReceivedFrame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
}

/** Yields the frames of a server until it closes the connection. */
export async function* framesOf(socket: AsyncIterable<Buffer>): AsyncGenerator<ReceivedFrame> {
  let waiting = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 9 && waiting.length >= 9 + waiting.readUIntBE(0, 3)) {
        const end = 9 + waiting.readUIntBE(0, 3);
        const [type, flags, id] = [waiting[3]!, waiting[4]!, waiting.readUInt32BE(5)];
        yield { type, flags, id, payload: waiting.subarray(9, end) };
        waiting = waiting.subarray(end);
      }
    }
  } catch (error) {
    // Any kind of disconnect ends the frames.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
