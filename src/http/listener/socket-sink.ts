import type { Duplex } from 'node:stream';
import type { Sink } from './sink-stream.ts';

export interface SocketWriter {
  readonly isClosed: () => boolean;
  readonly write: (chunk: Buffer) => void;
  readonly end: () => void;
}

/** A writer that passes everything to a connection at once, with the backpressure of the connection. */
export class SocketSink implements Sink {
  readonly #socket: Duplex;
  readonly #writer: SocketWriter;

  constructor(socket: Duplex, writer: SocketWriter) {
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
