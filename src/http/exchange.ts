import type { Duplex, Readable } from 'node:stream';
import type { Peer } from '../authn/index.ts';
import type { WatchOutput, WatchOutputOptions } from './watch/watch-output.ts';

/** The state that all exchanges of one connection share. */
export interface Connection extends Peer {
  /** Lets open requests finish and accepts no new ones. Undefined where a connection has one request at a time. */
  readonly shutDown?: (() => void) | undefined;
  /** When it was accepted, by `performance.now()`. Undefined if there is no socket. */
  readonly acceptedAt?: number | undefined;
  /** Lets the requests finish and closes the connection, so that the client opens a new one. */
  readonly moveClient?: (() => void) | undefined;
}

/** Header names in lower case. */
export type ResponseHeaders = Record<string, string | number | string[]>;

/** One request and its response, independent of the HTTP version. */
export interface Exchange {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** The query without the first `?`, percent-encoded; empty when there is none. */
  readonly query: string;
  readonly connection: Connection;
  /** Aborts when the client disconnects or the response is complete. Created on first use. */
  readonly signal: AbortSignal;
  /** True once the status line has been sent or queued. */
  readonly responded: boolean;
  /**
   * Set when the client offers to switch to another protocol, by an `Upgrade` of HTTP/1.1 or an extended CONNECT of
   * HTTP/2 (RFC 8441), whose `method` then reads GET. Over HTTP/1.1 any other response ends the connection.
   */
  readonly upgrade: UpgradeOffer | undefined;
  /** Set when the client is in the same process and takes watch events without encoding. */
  readonly eventReader?: EventReader | undefined;

  /** All request headers as received, names and values alternating. For headers whose values must not be joined. */
  readonly rawHeaders: readonly string[];

  /** The value of a request header by its lower-case name. Repeated headers are joined by `, `. */
  header(name: string): string | undefined;

  /**
   * Reads the whole body. Rejects with a 413 StatusError beyond `limit` bytes, and with a 400 when the client stops
   * sending or the exchange ends, for example because the deadline has responded.
   */
  readBody(limit: number): Promise<Buffer>;

  /**
   * The body as it arrives, with backpressure. Use it once, instead of `readBody`, and begin to read in the same turn.
   * It is destroyed when the client disconnects. Unread data is discarded when the response ends. Undefined when the
   * request has no body.
   */
  bodyStream(): Readable | undefined;

  /** Sets a header of any later response (`warning` may be set to a list). */
  setHeader(name: string, value: string | string[]): void;

  /** Like `setHeader`, for headers that many responses share. The object must not change. */
  setHeaders(shared: Readonly<Record<string, string>>): void;

  /** Sends the whole response. `content-length` is added. A HEAD request gets the headers only. */
  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void;

  /**
   * Starts a streamed response. The headers are sent at once. If they have a `content-length`, this many bytes must be
   * written.
   */
  respondStream(status: number, headers: ResponseHeaders): ResponseStream;

  /** Adds an annotation to the audit events of the request. Absent when the request is not audited. */
  annotate?(key: string, value: string, about?: { readonly showsObject?: boolean }): void;

  /** Closes the connection or stream without a response, or without the rest of one. */
  abort(): void;
}

/** The listener's view of an exchange, for request observers. */
export interface Transmission {
  /** The status of the response. 0 before it, and when the client has disconnected without one. */
  readonly status: number;
  /** The size of the response's body, as sent. */
  readonly sentBytes: number;
  /** The size of the request's body. Undefined when it has not been read as a whole. */
  readonly bodyBytes: number | undefined;
}

/** An exchange as it comes from a listener. */
export interface ServedExchange extends Exchange, Transmission {}

export interface UpgradeOffer {
  /** Other protocols are ignored, as if the client had not offered them. */
  readonly protocol: 'websocket' | 'spdy/3.1';
  /** Whether the handshake of a WebSocket has a key, which it has over HTTP/1.1 only. */
  readonly needsKey: boolean;
  /**
   * Use instead of `respond` and `respondStream`: switches the protocol at once, with these headers and without those
   * of `setHeader`. Returns the bytes of both directions. The caller handles its errors and ends or destroys it. Call
   * it once. Does not throw: when the client has disconnected, the result is destroyed.
   */
  accept(headers: ResponseHeaders): Duplex;
}

export interface EventReader {
  /** Use instead of `respondStream`, with status 200. Call it once. */
  accept(options: WatchOutputOptions): WatchOutput;
}

export interface ResponseStream {
  /**
   * Returns false when the receiver is slow: wait for `drained` before writing more. The caller must not change the
   * bytes while any are pending.
   */
  write(chunk: Buffer): boolean;
  /** Resolves when more can be written, also when the client has disconnected. */
  drained(): Promise<void>;
  /** Bytes accepted but not yet handed to the socket. When it is 0, buffers written earlier may be reused. */
  readonly pendingBytes: number;
  readonly closed: boolean;
  end(): void;
}
