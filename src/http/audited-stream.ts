import type { MaybePromise } from '../meta/maybe-promise.ts';
import { mapMaybe } from '../meta/maybe-promise.ts';
import type { CapturedBytes } from './captured-bytes.ts';
import type { ResponseStream } from './exchange.ts';

export interface AuditedStreamOptions {
  /** Undefined when the body is not audited. */
  readonly captured: CapturedBytes | undefined;
  /** Called when the response is complete. The client sees the end of it once this has returned or resolved. */
  readonly onEnd: () => MaybePromise<unknown>;
}

/** A streamed response whose end is audited. */
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
    void mapMaybe(this.#options.onEnd(), () => this.#inner.end());
  }
}
