/** A call that brought no answer, or not one that can be used. The message holds nothing of what was sent. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** Whether another try may go better. */
  readonly isTransient: boolean;
  /** How long the server asks to wait before that. */
  readonly retryAfterMs: number;

  constructor(message: string, options: CallErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.isTransient = options.isTransient ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

export interface CallErrorOptions {
  readonly status?: number;
  readonly isTransient?: boolean;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}
