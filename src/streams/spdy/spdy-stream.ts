import { Duplex } from 'node:stream';
import type { SpdyHeaders } from './header-blocks.ts';
import { SpdyError } from './spdy-error.ts';

/** The maximum number of bytes that wait in each direction of a stream. */
const highWaterMark = 64 * 1024;

/** The interface of the connection for its streams. */
export interface SpdyStreamConnection {
  /**
   * Sends as much as the windows and the connection allow now, and returns the number of bytes. Calls `sendPending`
   * when more can be sent.
   */
  sendData(stream: SpdyStream, bytes: Buffer): number;
  sendFin(stream: SpdyStream): void;
  sendReply(stream: SpdyStream, headers: SpdyHeaders): void;
  sendReset(stream: SpdyStream): void;
  /** Called when the stream can receive `size` more bytes. */
  taken(stream: SpdyStream, size: number): void;
  /** Called when the stream has ended in both directions. */
  forget(stream: SpdyStream): void;
}

export interface SpdyStreamOptions {
  readonly id: number;
  readonly headers: SpdyHeaders;
  /** Whether this side opened the stream. If so, nothing is sent before the reply, because peers drop earlier data. */
  readonly isOwn: boolean;
  /** The number of bytes that may be sent. */
  readonly sendWindow: number;
}

interface PendingWrite {
  /** Whether the write ends this direction. It then has no bytes. */
  readonly isFin: boolean;
  readonly bytes: Buffer;
  readonly done: (error?: Error | null) => void;
}

/**
 * One stream of a SPDY connection. Ending one direction leaves the other one open. When the peer resets an open stream,
 * data that it sent before can still be read, then the stream ends; written data is dropped. Many peers end their
 * streams this way.
 */
export class SpdyStream extends Duplex {
  readonly id: number;
  /** The headers of the frame that opened the stream. */
  readonly headers: SpdyHeaders;
  /** Resolves with the reply. Rejects when the stream ends first. */
  readonly opened: Promise<void>;
  sendWindow: number;
  /** Bytes received since the last window update to the peer. */
  received = 0;
  readonly #connection: SpdyStreamConnection;
  #replied: boolean;
  #wasReset = false;
  #sentFin = false;
  #gotFin = false;
  #pending: PendingWrite | undefined;
  #settleOpened: { readonly resolve: () => void; readonly reject: (error: Error) => void };

  constructor(connection: SpdyStreamConnection, { id, headers, isOwn, sendWindow }: SpdyStreamOptions) {
    super({ allowHalfOpen: true, highWaterMark });
    this.id = id;
    this.headers = headers;
    this.sendWindow = sendWindow;
    this.#connection = connection;
    this.#replied = !isOwn;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.opened = promise;
    this.#settleOpened = { resolve, reject };
    promise.catch(() => {});
    if (!isOwn) resolve();
  }

  /** Accepts a stream that the peer opened. Destroying the stream refuses it. */
  reply(headers: SpdyHeaders = {}): void {
    this.#connection.sendReply(this, headers);
  }

  override _read(): void {
    const { received } = this;
    this.received = 0;
    this.#connection.taken(this, received);
  }

  override _write(chunk: Buffer, _encoding: string, done: PendingWrite['done']): void {
    this.#send({ bytes: chunk, done, isFin: false });
  }

  override _final(done: PendingWrite['done']): void {
    this.#send({ bytes: Buffer.alloc(0), done, isFin: true });
  }

  #send(write: PendingWrite): void {
    if (this.#wasReset) {
      write.done();
      return;
    }
    this.#pending = write;
    this.sendPending();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#settleOpened.reject(error ?? new SpdyError('the stream was closed before the reply'));
    const pending = this.#pending;
    this.#pending = undefined;
    if (!this.#wasReset && !(this.#sentFin && this.#gotFin)) this.#connection.sendReset(this);
    this.#connection.forget(this);
    pending?.done(error ?? new SpdyError('the stream is closed'));
    done(error);
  }

  /** Sends pending data. Called with the reply, when a window grows, and when the connection has room. */
  sendPending(): void {
    const pending = this.#pending;
    if (pending === undefined || !this.#replied) return;
    const { bytes, done, isFin } = pending;
    const sent = this.#connection.sendData(this, bytes);
    if (sent < bytes.length) {
      this.#pending = { ...pending, bytes: bytes.subarray(sent) };
      return;
    }
    this.#pending = undefined;
    if (isFin) this.#finish();
    done();
  }

  #finish(): void {
    this.#sentFin = true;
    this.#connection.sendFin(this);
    if (this.#gotFin) this.#connection.forget(this);
  }

  /** Called when the peer has accepted the stream. */
  acceptReply(): void {
    if (this.#replied) return;
    this.#replied = true;
    this.#settleOpened.resolve();
    this.sendPending();
  }

  /** Receives bytes of the peer. Returns whether more can be received immediately. */
  acceptData(chunk: Buffer): boolean {
    if (this.#gotFin || this.destroyed) return true;
    this.received += chunk.length;
    return this.push(chunk);
  }

  /** Called when the peer sends nothing more. */
  acceptFin(): void {
    if (this.#gotFin) return;
    this.#gotFin = true;
    this.push(null);
    if (this.#sentFin) this.#connection.forget(this);
  }

  /** Called when the peer ends both directions. */
  acceptReset(error: Error): void {
    if (!this.#replied) {
      this.fail(error);
      return;
    }
    this.#wasReset = true;
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.done();
    this.acceptFin();
    this.end();
    this.#connection.forget(this);
  }

  /** Ends both directions with an error. Data that has not been read yet is lost. */
  fail(error: Error): void {
    this.#wasReset = true;
    this.destroy(error);
  }
}
