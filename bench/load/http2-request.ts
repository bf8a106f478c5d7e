import { encodeHeaders } from './hpack.ts';
import { frame, frameFlag, frameHeaderLength, frameType } from './http2-frames.ts';
import type { LoadConnectionOptions } from './load-connection.ts';
import { jsonType } from './load-plan.ts';
import { SerialSlots } from './serial-slots.ts';

type RequestOptions = Pick<LoadConnectionOptions, 'target' | 'request' | 'serialsBelow'>;

/** The encoded frames of a request, complete except for the stream number and the serial number. */
export class Http2Request {
  readonly bodyLength: number;
  readonly #bytes: Buffer;
  readonly #dataAt: number | undefined;
  readonly #slots: SerialSlots;

  constructor({ target, request, serialsBelow }: RequestOptions) {
    const { method, path, body, contentType = jsonType, accept = jsonType } = request;
    const content = Buffer.from(body ?? '');
    // Every server accepts frames of this size. A larger body would have to be split.
    if (content.length > 16_384) throw new Error('the load generator sends bodies of at most 16 KiB');
    const hasBody = content.length > 0;
    const headers = encodeHeaders({
      ':method': method,
      ':scheme': 'https',
      ':authority': `${target.host}:${target.port}`,
      ':path': path,
      accept,
      'user-agent': 'keelson-bench',
      ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
      ...(hasBody ? { 'content-type': contentType, 'content-length': String(content.length) } : {}),
    });
    const headersFlags = frameFlag.endHeaders | (hasBody ? 0 : frameFlag.endStream);
    const headersFrame = frame({ type: frameType.headers, flags: headersFlags, stream: 0 }, headers);
    const dataFrame = hasBody
      ? frame({ type: frameType.data, flags: frameFlag.endStream, stream: 0 }, content)
      : undefined;
    this.bodyLength = content.length;
    this.#dataAt = dataFrame && headersFrame.length;
    this.#bytes = dataFrame ? Buffer.concat([headersFrame, dataFrame]) : headersFrame;
    this.#slots = new SerialSlots(this.#bytes, serialsBelow);
  }

  make(stream: number, nextSerial: () => number): Buffer {
    const bytes = Buffer.from(this.#bytes);
    const streamAt = frameHeaderLength - 4;
    bytes.writeUInt32BE(stream, streamAt);
    if (this.#dataAt !== undefined) bytes.writeUInt32BE(stream, this.#dataAt + streamAt);
    this.#slots.fill(bytes, nextSerial);
    return bytes;
  }
}
