import type { TLSSocket } from 'node:tls';
import { StatusReader } from '../../../bench/load/hpack.ts';
import {
  flag,
  framesOf,
  frameTypes,
  opening,
  pingFrame,
  type ReceivedFrame,
  settingsAck,
} from './raw-frames.conformance.ts';

export interface RawResponse {
  /** 0 when a reset, or the end of the connection, came before any headers. */
  readonly status: number;
  readonly body: string;
  /** The code of a RST_STREAM that ended the stream. */
  readonly reset?: number;
}

/** The client side of an HTTP/2 connection. It sends the given bytes and records every received frame. */
export class RawHttp2Client {
  readonly socket: TLSSocket;
  readonly frames: ReceivedFrame[] = [];
  /** Whether the server has closed the connection. */
  isClosed = false;
  readonly #statuses = new StatusReader();
  readonly #statusOf = new Map<number, number>();
  readonly #ended = new Set<number>();
  #wake: () => void = () => {};
  #pings = 0;

  constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.setNoDelay();
    void this.#read();
  }

  /** Exchanges the settings like every client. */
  static async handshake(socket: TLSSocket, start: Buffer = opening): Promise<RawHttp2Client> {
    const client = new RawHttp2Client(socket);
    client.send(start);
    await client.received(({ type, flags }) => type === frameTypes.settings && flags === 0);
    client.send(settingsAck);
    await client.received(isSettingsAck);
    return client;
  }

  send(...frames: readonly Buffer[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(frames));
  }

  /** Waits for a frame, the first of all or of those since `from`. Undefined when the connection ends without it. */
  async received(matches: (frame: ReceivedFrame) => boolean, from = 0): Promise<ReceivedFrame | undefined> {
    let next = from;
    await this.until(() => {
      while (next < this.frames.length && !matches(this.frames[next]!)) next++;
      return next < this.frames.length;
    });
    return this.frames[next];
  }

  /** Waits for a condition that frames can fulfil. Also resolves when the connection ends. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.isClosed) {
      await new Promise<void>((resolve) => {
        const others = this.#wake;
        this.#wake = () => {
          others();
          resolve();
        };
      });
    }
  }

  /** Whether the server answers a ping. It has then processed everything that was sent before. */
  async isAlive(): Promise<boolean> {
    const payload = Buffer.from(`ping${String(this.#pings++).padStart(4, '0')}`);
    this.send(pingFrame(payload));
    const isResponse = (received: ReceivedFrame): boolean =>
      received.type === frameTypes.ping && received.flags === flag.ack && received.payload.equals(payload);
    return (await this.received(isResponse)) !== undefined;
  }

  /** Waits for the end of a stream. Informational responses and trailers are not part of the response. */
  async response(id: number): Promise<RawResponse> {
    await this.until(() => this.hasEnded(id));
    const reset = this.frames.find((one) => one.id === id && one.type === frameTypes.reset);
    return {
      status: this.#statusOf.get(id) ?? 0,
      body: Buffer.concat(this.dataOf(id)).toString(),
      ...(reset && { reset: reset.payload.readUInt32BE() }),
    };
  }

  hasEnded(id: number): boolean {
    return this.#ended.has(id);
  }

  /** The payloads of the DATA frames of a stream so far. */
  dataOf(id: number): Buffer[] {
    return this.frames.filter((one) => one.type === frameTypes.data && one.id === id).map(({ payload }) => payload);
  }

  /** The code of the GOAWAY with which the server ended the connection. Undefined if there was none. */
  get goAwayCode(): number | undefined {
    return this.frames.findLast(({ type }) => type === frameTypes.goAway)?.payload.readUInt32BE(4);
  }

  async #read(): Promise<void> {
    for await (const received of framesOf(this.socket)) {
      if (received.type === frameTypes.headers) this.#readStatus(received);
      if (endsStream(received)) this.#ended.add(received.id);
      this.frames.push(received);
      this.#notify();
    }
    this.isClosed = true;
    this.#notify();
  }

  #readStatus({ id, payload }: ReceivedFrame): void {
    const status = this.#statuses.read(payload);
    if (status >= 200) this.#statusOf.set(id, status);
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = () => {};
    wake();
  }
}

export function isSettingsAck({ type, flags }: ReceivedFrame): boolean {
  return type === frameTypes.settings && (flags & flag.ack) !== 0;
}

function endsStream({ type, flags }: ReceivedFrame): boolean {
  const carriesMessage = type === frameTypes.data || type === frameTypes.headers;
  return type === frameTypes.reset || (carriesMessage && (flags & flag.endStream) !== 0);
}
