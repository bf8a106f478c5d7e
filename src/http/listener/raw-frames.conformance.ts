/** Raw HTTP/2 frames, for tests of input that no library would send. */
export function frame(type: number, payload: Buffer, { id = 0, flags = 0 } = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

const endHeaders = 4;

/** The start of every connection: the preface and empty settings. */
export const opening = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, Buffer.alloc(0))]);

export function dataFrame(id: number, payload: Buffer): Buffer {
  return frame(0, payload, { id });
}

export function headersFrame(id: number, block: Buffer): Buffer {
  return frame(1, block, { id, flags: endHeaders });
}

export function resetFrame(id: number, code: number): Buffer {
  return frame(3, Buffer.from([0, 0, 0, code]), { id });
}

/** `POST https://x/` as indexed and literal header fields. */
export const postBlock = Buffer.from([0x83, 0x87, 0x84, 0x41, 0x01, 0x78]);
