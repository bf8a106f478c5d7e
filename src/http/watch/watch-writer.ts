import type { Status } from '../meta/status-error.ts';
import type { WatchEvent } from '../registry/index.ts';
import type { ResponseStream } from './exchange.ts';

/** What may wait for a reader that is behind, beside the initial state, before its stream is ended. */
const budget = 16 * 1024 * 1024;
/** How long a client has to take the rest of a stream that ends, in milliseconds. */
const patience = 2000;
const chunkSize = 64 * 1024;
const frameEnd = Buffer.from('}\n');
const frameStart = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};

interface Frame {
  readonly type: keyof typeof frameStart;
  readonly object: Buffer;
}

export interface WatchWriterOptions {
  /** Called once, when nothing more will be written, whoever ended it. */
  readonly onEnd: () => void;
  /** Closes the stream at once, without what waits. */
  readonly cut: () => void;
}

/**
 * Writes the frames of one watch. Events share the bytes of their objects and wait as references until the reader takes them;
 * those of one moment go out in one write.
 */
export class WatchWriter {
  readonly #stream: ResponseStream;
  readonly #onEnd: () => void;
  readonly #cut: () => void;
  #waiting: Frame[] = [];
  #waitingBytes = 0;
  #pumping = false;
  #counting = false;
  #ended = false;
  #lastWait: NodeJS.Timeout | undefined;

  constructor(stream: ResponseStream, { onEnd, cut }: WatchWriterOptions) {
    this.#stream = stream;
    this.#onEnd = onEnd;
    this.#cut = cut;
  }

  event({ type, object }: WatchEvent): void {
    this.#push({ type, object });
  }

  bookmark(document: string): void {
    this.#push({ type: 'BOOKMARK', object: Buffer.from(document) });
  }

  /** The last frame. */
  error(status: Status): void {
    this.#push({ type: 'ERROR', object: Buffer.from(JSON.stringify(status)) });
    this.end();
  }

  /** From here on what waits counts against the budget: the initial state was as large as the client asked for. */
  countWaiting(): void {
    this.#counting = true;
  }

  /** Ends the stream when what waits has been written. A client that does not take it in time is cut off. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#pumping) {
      this.#lastWait = setTimeout(this.#cut, patience);
      this.#lastWait.unref();
    } else {
      this.#finish();
    }
  }

  #push(frame: Frame): void {
    if (this.#ended) return;
    this.#waiting.push(frame);
    if (this.#counting) this.#waitingBytes += frame.object.length;
    if (this.#waitingBytes > budget) {
      // Too slow: the client has to start again from the last version it saw. Nobody else waits for it.
      this.#waiting = [];
      this.#ended = true;
      this.#cut();
      return;
    }
    if (this.#pumping) return;
    this.#pumping = true;
    queueMicrotask(() => void this.#pump());
  }

  async #pump(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stream.closed) {
      const frames = this.#waiting;
      this.#waiting = [];
      for (const chunk of chunks(frames)) {
        if (this.#stream.closed) break;
        if (!this.#stream.write(chunk)) await this.#stream.drained();
      }
      this.#waitingBytes = 0;
      for (const { object } of this.#waiting) this.#waitingBytes += object.length;
    }
    this.#pumping = false;
    if (this.#ended || this.#stream.closed) this.#finish();
  }

  #finish(): void {
    this.#ended = true;
    clearTimeout(this.#lastWait);
    this.#stream.end();
    this.#onEnd();
  }
}

function* chunks(frames: readonly Frame[]): Generator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for (const { type, object } of frames) {
    parts.push(frameStart[type], object, frameEnd);
    size += frameStart[type].length + object.length + frameEnd.length;
    if (size < chunkSize) continue;
    yield Buffer.concat(parts, size);
    parts = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(parts, size);
}
