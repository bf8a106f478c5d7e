import { OutgoingData } from './outgoing-data.ts';
import type { ErrorCode } from './protocol.ts';

/** Receives a response as it arrives. */
export interface ResponseReader {
  /** Called with the headers, and then with the trailers if there are any: names and values alternate. */
  onHeaders(fields: readonly string[], options: { readonly isLast: boolean }): void;
  /** Call `acknowledge` of the stream for bytes that have been consumed. */
  onData(chunk: Buffer): void;
  /**
   * Called once when the response is complete, unless the stream is cancelled. With a code, the response is incomplete.
   */
  onClosed(code: ErrorCode | undefined): void;
}

/** The part of the connection that its streams need. */
export interface ClientStreamConnection {
  send(stream: ClientStream): void;
  cancel(stream: ClientStream): void;
  updateWindow(stream: ClientStream, increment: number): void;
}

export interface ClientStreamOptions {
  readonly connection: ClientStreamConnection;
  readonly reader: ResponseReader;
  /** How much the server may send before the reader has acknowledged any of it. */
  readonly receiveWindow: number;
}

/** One request of a client and its response. */
export class ClientStream extends OutgoingData {
  readonly reader: ResponseReader;
  receiveWindow: number;
  readonly #connection: ClientStreamConnection;
  readonly #maxReceiveWindow: number;
  #unacknowledged = 0;

  constructor({ connection, reader, receiveWindow }: ClientStreamOptions) {
    super(0, 0);
    this.#connection = connection;
    this.reader = reader;
    this.receiveWindow = receiveWindow;
    this.#maxReceiveWindow = receiveWindow;
  }

  /** The bytes must not change while any are pending. */
  write(...chunks: readonly Buffer[]): void {
    if (this.isClosed || this.isEnded) return;
    this.#append(chunks);
    if (this.pendingBytes > 0) this.#connection.send(this);
  }

  /** Ends the request with these bytes. */
  end(...chunks: readonly Buffer[]): void {
    if (this.isClosed || this.isEnded) return;
    this.#append(chunks);
    this.isEnded = true;
    this.#connection.send(this);
  }

  #append(chunks: readonly Buffer[]): void {
    for (const chunk of chunks) if (chunk.length > 0) this.append(chunk);
  }

  /** Cancels the request. The reader is not called again. */
  cancel(): void {
    if (!this.isClosed) this.#connection.cancel(this);
  }

  // Called by the connection.
  receive(chunk: Buffer): true {
    this.reader.onData(chunk);
    return true;
  }

  /** Records that bytes of the response have been consumed, so that the server may send as many again. */
  acknowledge(length: number): void {
    if (this.isClosed) return;
    this.#unacknowledged += length;
    if (2 * this.#unacknowledged < this.#maxReceiveWindow) return;
    const increment = this.#unacknowledged;
    this.#unacknowledged = 0;
    this.receiveWindow += increment;
    this.#connection.updateWindow(this, increment);
  }
}
