import type { LineFile } from './line-file.ts';
import { TokenBucket } from './token-bucket.ts';

/** Events may be large, so the buffer is also limited in bytes. */
const maxBytes = 64 * 1024 * 1024;

export interface BatchQueueOptions {
  readonly bufferSize: number;
  readonly maxSize: number;
  readonly maxWaitMs: number;
  /** Maximum size of one write. */
  readonly maxBytes: number;
  /** Undefined without a limit. */
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
  /** Called when lines are lost. */
  readonly onLost: (error: Error, count: number) => void;
}

/** Buffers lines and writes them in batches, by count or by age. Requests do not wait for it. */
export class BatchQueue {
  readonly #file: Pick<LineFile, 'write'>;
  readonly #options: BatchQueueOptions;
  readonly #throttle: TokenBucket | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined = undefined;
  #sending: Promise<void> | undefined = undefined;
  #isClosing = false;

  constructor(file: Pick<LineFile, 'write'>, options: BatchQueueOptions) {
    this.#file = file;
    this.#options = options;
    this.#throttle = options.throttle && new TokenBucket(options.throttle);
  }

  /** Returns false when the buffer is full. */
  offer(line: Buffer): boolean {
    const { bufferSize } = this.#options;
    if (this.#isClosing || this.#waiting.length >= bufferSize || this.#waitingBytes + line.length > maxBytes) {
      return false;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#waiting.length >= this.#options.maxSize) this.#send();
    else this.#sendLater();
    return true;
  }

  /** Accepts no more lines. Resolves when all are written or lost. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#throttle?.open();
    while (this.#waiting.length > 0 || this.#sending !== undefined) {
      this.#send();
      await this.#sending;
    }
  }

  #sendLater(): void {
    this.#timer ??= setTimeout(() => this.#send(), this.#options.maxWaitMs).unref();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#run();
  }

  /** Writes one batch, and more while complete ones are pending. */
  async #run(): Promise<void> {
    do {
      await this.#throttle?.take();
      const lines = this.#take();
      try {
        await this.#file.write(lines);
      } catch (error) {
        this.#options.onLost(error as Error, lines.length);
      }
    } while (this.#waiting.length >= this.#options.maxSize);
    this.#sending = undefined;
    if (this.#waiting.length > 0) this.#sendLater();
  }

  /** Without a throttle batch boundaries do not matter, so all pending lines may form one batch. */
  #take(): Buffer[] {
    const { maxSize, maxBytes } = this.#options;
    const max = this.#throttle === undefined ? this.#waiting.length : Math.min(maxSize, this.#waiting.length);
    let bytes = 0;
    let count = 0;
    while (count < max && (count === 0 || bytes + this.#waiting[count]!.length <= maxBytes)) {
      bytes += this.#waiting[count]!.length;
      count++;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }
}
