import { type Duplex, Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';

/** The channels of a remote command. */
export const commandChannels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** In place of a channel number: the next byte is the channel that has ended. */
const closeSignal = 255;
const highWaterMark = 64 * 1024;

export interface ChannelProtocol {
  /** Whether messages are base64 text with a digit for the channel, instead of bytes. */
  readonly isBase64: boolean;
  /** Whether the end of a single channel can be signalled. */
  readonly hasCloseSignal: boolean;
}

/** The sub-protocols of WebSockets that carry channels, by their names. */
export const channelProtocols: ReadonlyMap<string, ChannelProtocol> = new Map([
  ['v5.channel.k8s.io', { isBase64: false, hasCloseSignal: true }],
  ['v4.channel.k8s.io', { isBase64: false, hasCloseSignal: false }],
  ['v4.base64.channel.k8s.io', { isBase64: true, hasCloseSignal: false }],
  ['channel.k8s.io', { isBase64: false, hasCloseSignal: false }],
  ['base64.channel.k8s.io', { isBase64: true, hasCloseSignal: false }],
]);

export interface ChannelsOptions extends ChannelProtocol {
  /** The channels on which the peer sends. Data on other channels is dropped. */
  readonly inputs: readonly number[];
  /** The underlying connection of the WebSocket, which applies backpressure. */
  readonly connection: Duplex;
}

/** Streams over one WebSocket: the first byte of each message names the channel. */
export class Channels {
  readonly #webSocket: WebSocket;
  readonly #options: ChannelsOptions;
  readonly #inputs: ReadonlyMap<number, Readable>;
  readonly #full = new Set<Readable>();
  /** Streams that have ended. Data that arrives for them is dropped. */
  readonly #ended = new Set<Readable>();
  readonly #waiting: (() => void)[] = [];

  constructor(webSocket: WebSocket, options: ChannelsOptions) {
    this.#webSocket = webSocket;
    this.#options = options;
    this.#inputs = new Map(options.inputs.map((channel) => [channel, this.#newInput()]));
    webSocket.on('message', (message: Buffer) => this.#onMessage(message));
    webSocket.on('close', () => this.#onClose());
    options.connection.on('drain', () => this.#onDrain());
  }

  /**
   * The data that the peer sends. It ends with a close signal, and is destroyed without an end when the WebSocket
   * closes.
   */
  input(channel: number): Readable {
    return this.#inputs.get(channel)!;
  }

  /** Every write to the stream is one message. */
  output(channel: number): Writable {
    return new Writable({
      highWaterMark,
      write: (chunk: Buffer, _encoding, done) => this.send(channel, chunk, done),
    });
  }

  /** Sends one message. Calls back when more can be sent. */
  send(channel: number, bytes: Buffer, done: () => void): void {
    const { webSocket, connection } = { webSocket: this.#webSocket, connection: this.#options.connection };
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(this.#messageOf(channel, bytes));
    if (connection.writableNeedDrain && !connection.destroyed) this.#waiting.push(done);
    else done();
  }

  /** Reads and drops all other messages, so that the end of the WebSocket is detected. */
  dropInput(): void {
    for (const input of this.#inputs.values()) input.destroy();
  }

  #messageOf(channel: number, bytes: Buffer): Buffer | string {
    if (this.#options.isBase64) return `${channel}${bytes.toString('base64')}`;
    const message = Buffer.allocUnsafe(bytes.length + 1);
    message[0] = channel;
    bytes.copy(message, 1);
    return message;
  }

  #newInput(): Readable {
    const input: Readable = new Readable({
      highWaterMark,
      read: () => this.#resumeAfter(input),
      destroy: (error, done) => {
        this.#resumeAfter(input);
        done(error);
      },
    });
    return input;
  }

  #onMessage(message: Buffer): void {
    if (message.length === 0) return;
    const { isBase64, hasCloseSignal } = this.#options;
    const channel = isBase64 ? message[0]! - 48 : message[0]!;
    if (hasCloseSignal && channel === closeSignal) {
      this.#endInput(this.#inputs.get(message[1] ?? closeSignal));
      return;
    }
    const input = this.#inputs.get(channel);
    if (input === undefined || input.destroyed || this.#ended.has(input) || message.length === 1) return;
    const bytes = isBase64 ? Buffer.from(message.toString('latin1', 1), 'base64') : message.subarray(1);
    if (input.push(bytes)) return;
    this.#full.add(input);
    this.#webSocket.pause();
  }

  #endInput(input: Readable | undefined): void {
    if (input === undefined || this.#ended.has(input)) return;
    this.#ended.add(input);
    input.push(null);
  }

  #resumeAfter(input: Readable): void {
    if (this.#full.delete(input) && this.#full.size === 0) this.#webSocket.resume();
  }

  #onDrain(): void {
    for (const done of this.#waiting.splice(0)) done();
  }

  #onClose(): void {
    this.dropInput();
    this.#onDrain();
  }
}
