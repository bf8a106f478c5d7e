import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { TestApi } from './api.ts';

const closeSignal = 255;

/** A client for exec or attach over a WebSocket. It is closed after the test at the latest. */
export class CommandSocket {
  readonly webSocket: WebSocket;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  readonly #isBase64: boolean;
  readonly #received = new Map<number, Buffer[]>();
  #wake: () => void = () => {};

  constructor(api: TestApi, path: string, protocol: string, headers: Record<string, string> = {}) {
    this.#isBase64 = protocol.includes('base64');
    const url = `${api.server.url.replace('https', 'wss')}${path}`;
    this.webSocket = new WebSocket(url, [protocol], { ...api.tls, headers, origin: api.server.url });
    onTestFinished(() => this.webSocket.terminate());
    this.webSocket.on('message', (message: Buffer) => this.#onMessage(message));
    this.closed = new Promise((resolve) => this.webSocket.once('close', resolve));
  }

  async opened(): Promise<this> {
    await once(this.webSocket, 'open');
    return this;
  }

  send(channel: number, text: string | Buffer): void {
    const bytes = Buffer.from(text);
    if (this.#isBase64) this.webSocket.send(`${channel}${bytes.toString('base64')}`);
    else this.webSocket.send(Buffer.concat([Buffer.from([channel]), bytes]));
  }

  /** Signals the end of a channel. */
  end(channel: number): void {
    this.webSocket.send(Buffer.from([closeSignal, channel]));
  }

  bytes(channel: number): Buffer {
    return Buffer.concat(this.#received.get(channel) ?? []);
  }

  text(channel: number): string {
    return this.bytes(channel).toString();
  }

  /** Waits for text on a channel. */
  async until(channel: number, expected: string): Promise<void> {
    while (!this.text(channel).includes(expected)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Returns the final status after the end. */
  async status(): Promise<unknown> {
    await this.closed;
    return JSON.parse(this.text(3));
  }

  #onMessage(message: Buffer): void {
    const channel = this.#isBase64 ? message[0]! - 48 : message[0]!;
    const bytes = this.#isBase64 ? Buffer.from(message.toString('latin1', 1), 'base64') : message.subarray(1);
    const before = this.#received.get(channel) ?? [];
    before.push(bytes);
    this.#received.set(channel, before);
    this.#wake();
  }
}
