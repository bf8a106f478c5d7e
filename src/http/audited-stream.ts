import type { MaybePromise } from '../meta/maybe-promise.ts';
import { whenThere } from '../meta/maybe-promise.ts';
import type { CapturedBytes } from './captured-bytes.ts';
import type { ResponseStream } from './exchange.ts';

export interface AuditedStreamOptions {
  /** Undefined when nobody wants to see what is written. */
  readonly captured: CapturedBytes | undefined;
  /** The answer is complete: the client sees its end when this has come back. */
  readonly onEnd: () => MaybePromise<unknown>;
}

/** An answer in pieces whose end is told. */
export class AuditedStream implements ResponseStream {
  readonly #inner: ResponseStream;
  readonly #options: AuditedStreamOptions;
  #ended = false;

  constructor(inner: ResponseStream, options: AuditedStreamOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  get closed(): boolean {
    return this.#ended || this.#inner.closed;
  }

  get pendingBytes(): number {
    return this.#inner.pendingBytes;
  }

  write(chunk: Buffer): boolean {
    if (this.#ended) return true;
    this.#options.captured?.add(chunk);
    return this.#inner.write(chunk);
  }

  drained(): Promise<void> {
    return this.#inner.drained();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    void whenThere(this.#options.onEnd(), () => this.#inner.end());
  }
}
