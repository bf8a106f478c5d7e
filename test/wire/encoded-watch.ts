import { decodeFirst } from 'cborg';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { cborOptions, decodeBody, decodeEnvelope, jsonOf, lengthDelimited, type Typed } from './peer-codecs.ts';
import type { OpenResponse } from './raw-client.ts';

export interface EncodedEvent {
  readonly type: string;
  readonly object: Typed;
}

/** Returns the first frame of a stream and its size in bytes, or undefined while it is incomplete. */
type Framing = (bytes: Buffer) => { readonly size: number; readonly event: EncodedEvent } | undefined;

const framings: Readonly<Record<Exclude<EncodingName, 'yaml'>, Framing>> = {
  json(bytes) {
    const end = bytes.indexOf('\n');
    if (end < 0) return undefined;
    return { size: end + 1, event: messageEvent('json', bytes.subarray(0, end)) };
  },
  protobuf(bytes) {
    if (bytes.length < 4 || bytes.length < 4 + bytes.readUInt32BE()) return undefined;
    const size = 4 + bytes.readUInt32BE();
    return { size, event: messageEvent('protobuf', bytes.subarray(4, size)) };
  },
  cbor(bytes) {
    if (bytes.length === 0) return undefined;
    try {
      const [value, rest] = decodeFirst(bytes, cborOptions);
      return { size: bytes.length - rest.length, event: jsonOf(value) as EncodedEvent };
    } catch (error) {
      if (/not enough data|did not find/.test(String(error))) return undefined;
      throw error;
    }
  },
};

/** Decodes an event without a frame, as it is sent over a WebSocket. */
export function messageEvent(encoding: EncodingName, bytes: Buffer): EncodedEvent {
  if (encoding !== 'protobuf') return decodeBody(encoding, bytes) as unknown as EncodedEvent;
  const [type, extension] = lengthDelimited(bytes);
  const [raw] = lengthDelimited(extension!);
  return { type: String(type), object: decodeEnvelope(raw!) };
}

/** A watch with a stream in any encoding. */
export class EncodedWatch {
  readonly status: number;
  readonly headers: OpenResponse['headers'];
  readonly close: () => void;
  readonly #events: AsyncGenerator<EncodedEvent>;

  constructor({ status, headers, body, close: leave }: OpenResponse, encoding: Exclude<EncodingName, 'yaml'>) {
    this.status = status;
    this.headers = headers;
    this.close = leave;
    this.#events = eventsOf(body, framings[encoding]);
  }

  /** Returns undefined after the end of the stream. */
  async next(): Promise<EncodedEvent | undefined> {
    return (await this.#events.next()).value ?? undefined;
  }
}

async function* eventsOf(body: AsyncIterable<Buffer>, framing: Framing): AsyncGenerator<EncodedEvent> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let frame = framing(rest); frame !== undefined; frame = framing(rest)) {
      rest = rest.subarray(frame.size);
      yield frame.event;
    }
  }
  if (rest.length > 0) throw new Error(`the stream ends within a frame: ${rest.toString('hex')}`);
}
