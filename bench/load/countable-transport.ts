import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Target } from './load-plan.ts';
import { RecordCounter } from './record-counter.ts';

/**
 * A TCP connection below TLS that can stop decrypting what it receives and count it instead. Decrypting and reading
 * the events of thousands of watchers takes the load generator as long as sending them takes the server, and both
 * share the cores.
 */
export class CountableTransport extends Duplex {
  readonly #socket: Socket;
  #counter: RecordCounter | undefined;

  private constructor({ host, port }: Target) {
    super();
    this.#socket = connect({
      host,
      port,
      onread: {
        buffer: Buffer.allocUnsafeSlow(1024 * 1024),
        callback: (length, buffer) => {
          const bytes = (buffer as Buffer).subarray(0, length);
          if (this.#counter) this.#counter.read(bytes);
          else this.push(Buffer.from(bytes));
          return true;
        },
      },
    });
    this.#socket.setNoDelay(true);
    this.#socket.on('error', (error) => this.destroy(error));
    this.#socket.on('close', () => this.destroy());
  }

  static async open(target: Target): Promise<CountableTransport> {
    const transport = new CountableTransport(target);
    await new Promise<void>((resolve, reject) => {
      transport.#socket.once('connect', resolve);
      transport.#socket.once('error', reject);
    });
    return transport;
  }

  /** From now on only counts. The connection must be quiet: the next byte is the first of a record. */
  count(onBytes: (plaintextBytes: number) => void): void {
    this.#counter = new RecordCounter(onBytes);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }
}
