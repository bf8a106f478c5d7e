import type { Peer } from '../authn/index.ts';
import type { WatchOutlet, WatchOutletOptions } from './watch/watch-outlet.ts';

/** What all exchanges of one connection share. */
export type Connection = Peer;

/** Header names in lower case. */
export type ResponseHeaders = Record<string, string | number | string[]>;

/** One request and its answer, whatever the HTTP version below. */
export interface Exchange {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** What follows the first `?`, percent-encoded; empty when there is none. */
  readonly query: string;
  readonly connection: Connection;
  /** Aborts when the client goes away or the answer is complete. Created on first use. */
  readonly signal: AbortSignal;
  /** True once the status line has been sent or handed over. */
  readonly responded: boolean;
  /** Set when the client asks for a WebSocket, which takes HTTP/1.1. Any other answer ends the connection. */
  readonly webSocket: WebSocketOffer | undefined;
  /** Set when the client is in the same process and takes the events of a watch as they are: nothing is encoded for it. */
  readonly eventReader?: EventReader | undefined;

  /** All request headers as they came, names and values in turn: for those whose values must not be joined. */
  readonly rawHeaders: readonly string[];

  /** The value of a request header by its lower-case name; several ones are joined by `, `. */
  header(name: string): string | undefined;

  /** The whole body. Rejects with a 413 StatusError beyond `limit` bytes and with a 400 one when the client stops halfway. */
  readBody(limit: number): Promise<Buffer>;

  /** Headers that go into the answer whatever it will be (`warning` may be set to a list). */
  setHeader(name: string, value: string | string[]): void;

  /** The whole answer at once. `content-length` is added. A HEAD request gets the headers only. */
  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void;

  /** An answer in pieces: the headers are sent at once. */
  respondStream(status: number, headers: ResponseHeaders): ResponseStream;

  /** Gives the client no answer, or no rest of one. */
  abort(): void;
}

export interface WebSocketOffer {
  /**
   * Instead of `respond` and `respondStream`: switches the protocol at once, without the headers of `setHeader`. Every
   * `write` to the stream is one message, and `end` closes with code 1000. What the client sends is ignored; when it
   * closes, so does the stream. A handshake that cannot be accepted is refused here with 403 (no `Origin`) or 400, and
   * the stream is closed from the beginning. Call it once. Does not throw.
   */
  accept(options?: WebSocketOptions): ResponseStream;
}

export interface WebSocketOptions {
  /** Whether the messages are binary ones. Otherwise they are text, and each has to be whole UTF-8. */
  readonly binary?: boolean;
}

export interface EventReader {
  /** Instead of `respondStream`, with status 200. Call it once. */
  accept(options: WatchOutletOptions): WatchOutlet;
}

export interface ResponseStream {
  /**
   * False when the receiver is behind: wait for `drained` before writing more. The caller must not change the bytes while
   * any are pending.
   */
  write(chunk: Buffer): boolean;
  /** Resolves when more can be written, also when the client has gone away. */
  drained(): Promise<void>;
  /** Bytes accepted but not yet handed to the socket. When there are none, what was written before may be changed again. */
  readonly pendingBytes: number;
  readonly closed: boolean;
  end(): void;
}
