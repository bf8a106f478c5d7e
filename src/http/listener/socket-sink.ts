import type { Socket } from 'node:net';
import type { Sink } from './sink-stream.ts';

export interface SocketWriter {
  readonly isClosed: () => boolean;
  readonly write: (chunk: Buffer) => void;
  readonly end: () => void;
}

/** A writer that passes everything to a socket at once, with the backpressure of the socket. */
export class SocketSink implements Sink {
  readonly #socket: Socket;
  readonly #writer: SocketWriter;

  constructor(socket: Socket, writer: SocketWriter) {
    this.#socket = socket;
    this.#writer = writer;
  }

  get closed(): boolean {
    return this.#writer.isClosed();
  }

  get destroyed(): boolean {
    return this.#socket.destroyed;
  }

  get writableLength(): number {
    return this.#socket.writableLength;
  }

  get writableNeedDrain(): boolean {
    return this.#socket.writableNeedDrain;
  }

  write(chunk: Buffer): boolean {
    this.#writer.write(chunk);
    return !this.#socket.writableNeedDrain;
  }

  end(): void {
    this.#writer.end();
  }

  on(event: 'drain' | 'close', listener: () => void): void {
    this.#socket.on(event, listener);
  }

  off(event: 'drain' | 'close', listener: () => void): void {
    this.#socket.off(event, listener);
  }
}
