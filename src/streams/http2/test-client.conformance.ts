/** Shared by the tests of this folder: a connection in memory, and a client that sends frames. */
import { Duplex, duplexPair } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { frame, opening } from '../../http/listener/raw-frames.conformance.ts';
import { Http2Connection, type Http2ConnectionOptions } from './connection.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { flags, frameTypes } from './protocol.ts';
import type { Http2Stream } from './stream.ts';

export interface SeenFrame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
}

/** GET https://x/ */
export const getBlock: Buffer = Buffer.from([0x82, 0x87, 0x84, 0x41, 0x01, 0x78]);

export function integer(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function setting(name: number, value: number): Buffer {
  return Buffer.concat([Buffer.from([0, name]), integer(value)]);
}

/** A client that can stop reading from its end of the connection. */
export class TestClient {
  readonly connection: Http2Connection;
  readonly streams: Http2Stream[] = [];
  readonly frames: SeenFrame[] = [];
  /** The sizes of the writes of the server. */
  readonly writes: number[] = [];
  isClosed = false;
  readonly socket: Duplex;
  readonly serverSocket: Duplex;
  readonly #decoder = new HeaderDecoder({ maxListSize: 1 << 20 });
  #rest = Buffer.alloc(0);
  #isReading = true;
  readonly #unread: (() => void)[] = [];

  constructor(options: Partial<Http2ConnectionOptions> = {}) {
    const [server, client] = duplexPair();
    this.socket = client;
    this.serverSocket = this.#observed(server);
    client.on('data', (chunk: Buffer) => this.#receive(chunk));
    client.on('close', () => {
      this.isClosed = true;
    });
    client.on('end', () => {
      this.isClosed = true;
    });
    this.connection = new Http2Connection(this.serverSocket, {
      maxConcurrentStreams: 100,
      maxHeaderSize: 8192,
      headersTimeout: 60_000,
      onStream: (stream) => {
        this.streams.push(stream);
      },
      ...options,
    });
  }

  /** Opens the connection with these settings and waits until the server has applied them. */
  async open(...settings: Buffer[]): Promise<this> {
    this.socket.write(opening.subarray(0, 24));
    await this.send(frame(frameTypes.settings, Buffer.concat(settings)));
    this.frames.length = 0;
    this.writes.length = 0;
    return this;
  }

  /** Sends frames in one write, and waits for the reaction of the server. */
  async send(...frames: Buffer[]): Promise<void> {
    this.socket.write(Buffer.concat(frames));
    await this.settle();
  }

  /** Opens a stream with a request without a body. */
  async request(id: number): Promise<Http2Stream> {
    const stream = this.streams.length;
    await this.send(frame(frameTypes.headers, getBlock, { id, flags: flags.endHeaders | flags.endStream }));
    return this.streams[stream]!;
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await nextTurn();
  }

  stopReading(): void {
    this.#isReading = false;
  }

  async continueReading(): Promise<void> {
    this.#isReading = true;
    while (this.#isReading && this.#unread.length > 0) this.#unread.shift()!();
    await this.settle();
  }

  ofType(type: number): SeenFrame[] {
    return this.frames.filter((one) => one.type === type);
  }

  /** The bytes of the data frames of a stream. */
  dataOf(id: number): Buffer {
    return Buffer.concat(this.ofType(frameTypes.data).flatMap((one) => (one.id === id ? [one.payload] : [])));
  }

  fieldsOf({ payload }: SeenFrame): string[] {
    return this.#decoder.decode(payload)!;
  }

  /** The server's end of the connection. Its writes wait while the client does not read. */
  #observed(inner: Duplex): Duplex {
    const outer = new Duplex({
      read: () => inner.resume(),
      write: (chunk: Buffer, _encoding, callback) => {
        this.writes.push(chunk.length);
        // A copy, because the server reuses its memory as soon as a socket has sent it.
        const pass = (): void => void inner.write(Buffer.from(chunk), () => callback());
        if (this.#isReading) pass();
        else this.#unread.push(pass);
      },
      final: (callback) => {
        inner.end(callback);
      },
    });
    inner.on('data', (chunk: Buffer) => {
      if (!outer.push(chunk)) inner.pause();
    });
    inner.on('end', () => outer.push(null));
    return outer;
  }

  #receive(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const end = 9 + bytes.readUIntBE(0, 3);
      const [type, flag, id] = [bytes[3]!, bytes[4]!, bytes.readUInt32BE(5)];
      this.frames.push({ type, flags: flag, id, payload: bytes.subarray(9, end) });
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
  }
}
