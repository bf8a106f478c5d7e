import type { Peer } from '../authn/index.ts';
import type { WatchOutlet, WatchOutletOptions } from './watch/watch-outlet.ts';

/** The state that all exchanges of one connection share. */
export type Connection = Peer;

/** Header names in lower case. */
export type ResponseHeaders = Record<string, string | number | string[]>;

/** One request and its response, independent of the HTTP version. */
export interface Exchange {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** What follows the first `?`, percent-encoded; empty when there is none. */
  readonly query: string;
  readonly connection: Connection;
  /** Aborts when the client disconnects or the response is complete. Created on first use. */
  readonly signal: AbortSignal;
  /** True once the status line has been sent or queued. */
  readonly responded: boolean;
  /** Set when the client requests a WebSocket, which requires HTTP/1.1. Any other response ends the connection. */
  readonly webSocket: WebSocketOffer | undefined;
  /** Set when the client is in the same process and takes watch events without encoding. */
  readonly eventReader?: EventReader | undefined;

  /** All request headers as received, names and values alternating. For headers whose values must not be joined. */
  readonly rawHeaders: readonly string[];

  /** The value of a request header by its lower-case name. Repeated headers are joined by `, `. */
  header(name: string): string | undefined;

  /**
   * Reads the whole body. Rejects with a 413 StatusError beyond `limit` bytes, and with a 400 when the client stops
   * sending.
   */
  readBody(limit: number): Promise<Buffer>;

  /** Sets a header of any later response (`warning` may be set to a list). */
  setHeader(name: string, value: string | string[]): void;

  /** Sends the whole response. `content-length` is added. A HEAD request gets the headers only. */
  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void;

  /** Starts a streamed response. The headers are sent at once. */
  respondStream(status: number, headers: ResponseHeaders): ResponseStream;

  /** Adds an annotation to the audit events of the request. Absent when the request is not audited. */
  annotate?(key: string, value: string, about?: { readonly showsObject?: boolean }): void;

  /** Closes the connection or stream without a response, or without the rest of one. */
  abort(): void;
}

export interface WebSocketOffer {
  /**
   * Use instead of `respond` and `respondStream`: switches the protocol at once, without the headers of `setHeader`.
   * Every `write` to the stream is one message, and `end` closes with code 1000. Messages of the client are ignored.
   * When the client closes, so does the stream. A handshake that cannot be accepted is rejected here with 403 (no
   * `Origin`) or 400, and the stream is closed from the beginning. Call it once. Does not throw.
   */
  accept(options?: WebSocketOptions): ResponseStream;
}

export interface WebSocketOptions {
  /** Whether the messages are binary. Otherwise they are text, and each must be complete UTF-8. */
  readonly binary?: boolean;
}

export interface EventReader {
  /** Use instead of `respondStream`, with status 200. Call it once. */
  accept(options: WatchOutletOptions): WatchOutlet;
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
