import type { ResponseHead } from './header-encoder.ts';
import { streamWindow } from './limits.ts';
import { OutgoingData } from './outgoing-data.ts';
import type { ErrorCode } from './protocol.ts';
import { ReceivedBytes } from './received-bytes.ts';
import type { RequestHead } from './request-head.ts';

/** The handler of the request of a stream. */
export interface StreamOwner {
  /** True while the server works on a response and the client has nothing to send or read. */
  readonly awaitsServer: boolean;
  /** Called once, shortly after the response is complete or the client has disconnected. */
  onClosed(): void;
}

/** Receives a body as it arrives. */
export interface BodyReader {
  /** Call `acknowledge` of the stream for bytes that have been consumed. */
  onData(chunk: Buffer): void;
  /** Called when the body is complete. */
  onEnd(): void;
  /** Called when the client has disconnected or cancelled the request. */
  onCut(): void;
}

/** The part of the connection that its streams need. */
export interface StreamConnection {
  /** Bytes of all streams that the socket has not sent yet. */
  readonly unsentBytes: number;
  writeHead(stream: Http2Stream, head: ResponseHead, options: { readonly isLast: boolean }): void;
  /** Called when the stream has something to send. */
  send(stream: Http2Stream): void;
  resetStream(stream: Http2Stream, code: ErrorCode): void;
  updateWindow(stream: Http2Stream, increment: number): void;
}

export interface Http2StreamOptions {
  readonly id: number;
  readonly head: RequestHead;
  readonly connection: StreamConnection;
  /** The number of bytes that the client is ready to receive. */
  readonly sendWindow: number;
}

/**
 * One request of a connection and its response. It is not a Node.js stream, because most responses are sent at once.
 */
export class Http2Stream extends OutgoingData {
  readonly head: RequestHead;
  owner: StreamOwner | undefined = undefined;
  /** Whether the client has sent everything. */
  isRequestComplete = false;
  /** Whether the headers of the response have been passed to the connection. */
  hasResponded = false;
  /** Whether the client may continue to send after the response, because the stream is a tunnel. */
  isTunnel = false;
  /** The number of bytes of the response body written so far. */
  writtenBytes = 0;
  receiveWindow = streamWindow;
  readonly #connection: StreamConnection;
  #unacknowledged = 0;
  #received: ReceivedBytes | undefined = undefined;
  #receivedLength = 0;
  #reader: BodyReader | undefined = undefined;
  #isDiscarding = false;
  #waiting: (() => void)[] | undefined = undefined;

  constructor({ id, head, connection, sendWindow }: Http2StreamOptions) {
    super(id, sendWindow);
    this.head = head;
    this.#connection = connection;
  }

  /** Whether no written data is waiting in this process. */
  get isFlushed(): boolean {
    return this.pendingBytes === 0 && this.#connection.unsentBytes === 0;
  }

  /** Sends the headers of the response. Throws a TypeError for headers that cannot be sent. */
  respond(head: ResponseHead, { isLast }: { readonly isLast: boolean }): void {
    if (this.isClosed || this.hasResponded) return;
    this.#connection.writeHead(this, head, { isLast });
  }

  /** Sends an interim response, such as `100 Continue`. */
  inform(status: number): void {
    if (!this.isClosed && !this.hasResponded) {
      this.#connection.writeHead(this, { status, headers: {} }, { isLast: false });
    }
  }

  /** The bytes must not change while any are pending. */
  write(chunk: Buffer): void {
    if (this.isClosed || this.isEnded || chunk.length === 0) return;
    this.writtenBytes += chunk.length;
    this.append(chunk);
    this.#connection.send(this);
  }

  /** Ends the response, with these bytes if there are any. */
  end(last?: Buffer): void {
    if (this.isClosed || this.isEnded) return;
    if (last !== undefined && last.length > 0) {
      this.writtenBytes += last.length;
      this.append(last);
    }
    this.isEnded = true;
    this.#connection.send(this);
  }

  /** Ends the stream immediately. */
  reset(code: ErrorCode): void {
    if (!this.isClosed) this.#connection.resetStream(this, code);
  }

  /** Resolves when nothing is pending, also when the stream is closed. */
  drained(): Promise<void> {
    if (this.pendingBytes === 0 || this.isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.onDrain(resolve);
    });
  }

  /** Calls the listener once when nothing is pending. */
  onDrain(listener: () => void): void {
    this.#waiting ??= [];
    this.#waiting.push(listener);
  }

  /** Passes the body to a reader, beginning with the data that has already arrived. */
  read(reader: BodyReader): void {
    if (this.isClosed) {
      reader.onCut();
      return;
    }
    this.#reader = reader;
    const received = this.#received;
    this.#received = undefined;
    for (let chunk = received?.shift(); chunk !== undefined; chunk = received?.shift()) reader.onData(chunk);
    if (this.isRequestComplete) reader.onEnd();
  }

  /** Stops reading. Further data is dropped. */
  stopReading(): void {
    this.#reader = undefined;
    this.#received = undefined;
    this.#isDiscarding = true;
  }

  /** Records that bytes of the body have been consumed, so that the client may send as many again. */
  acknowledge(length: number): void {
    if (this.isRequestComplete || this.isClosed) return;
    this.#unacknowledged += length;
    if (2 * this.#unacknowledged < streamWindow) return;
    const increment = this.#unacknowledged;
    this.#unacknowledged = 0;
    this.receiveWindow += increment;
    this.#connection.updateWindow(this, increment);
  }

  // The connection calls the following methods.

  /** Receives a part of the body. Returns false when the body is longer than announced. */
  receive(chunk: Buffer): boolean {
    this.#receivedLength += chunk.length;
    if (this.head.contentLength !== -1 && this.#receivedLength > this.head.contentLength) return false;
    if (this.#reader !== undefined) {
      this.#reader.onData(chunk);
    } else if (!this.#isDiscarding) {
      this.#received ??= new ReceivedBytes();
      this.#received.push(chunk);
    }
    return true;
  }

  /** Ends the request. Returns false when the body is shorter than announced. */
  complete(): boolean {
    const { contentLength, method } = this.head;
    if (contentLength !== -1 && this.#receivedLength !== contentLength && method !== 'CONNECT') return false;
    this.isRequestComplete = true;
    this.#reader?.onEnd();
    return true;
  }

  override advance(length: number): void {
    super.advance(length);
    if (this.pendingBytes === 0) this.#callWaiting();
  }

  /** Discards all waiting data. */
  close(): void {
    this.drop();
    this.#callWaiting();
    if (!this.isRequestComplete) this.#reader?.onCut();
    this.#reader = undefined;
  }

  #callWaiting(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    for (const listener of waiting) listener();
  }
}
