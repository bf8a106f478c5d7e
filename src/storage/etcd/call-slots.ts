import { StorageError } from '../storage.ts';

export interface CallSlotsOptions {
  readonly slots: number;
  /** If more callers than this wait, further calls fail with `Unavailable`. */
  readonly waiting: number;
}

/** Limits the number of concurrent calls. Further calls wait in order of arrival. */
export class CallSlots {
  readonly #limit: number;
  readonly #maxWaiting: number;
  /** The waiting calls in the order of their arrival. */
  readonly #waiting = new Set<() => void>();
  #idle: (() => void)[] = [];
  #used = 0;

  constructor({ slots, waiting }: CallSlotsOptions) {
    this.#limit = slots;
    this.#maxWaiting = waiting;
  }

  /** Runs the call when a slot is available. Rejects with `Unavailable` when that takes too long. */
  async run<T>(call: () => Promise<T>, timeoutMs: number): Promise<T> {
    if (this.#used < this.#limit) this.#used += 1;
    else await this.#wait(timeoutMs);
    try {
      return await call();
    } finally {
      this.#release();
    }
  }

  /** Resolves when no call runs or waits. */
  async idle(): Promise<void> {
    if (this.#used > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #wait(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size >= this.#maxWaiting) {
        reject(new StorageError('Unavailable', 'too many requests are waiting for etcd'));
        return;
      }
      const granted = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(granted);
        reject(new StorageError('Unavailable', 'too many requests are in flight to etcd, which is slow'));
      }, timeoutMs);
      this.#waiting.add(granted);
    });
  }

  /** Passes the slot to the next waiting call. */
  #release(): void {
    for (const granted of this.#waiting) {
      this.#waiting.delete(granted);
      granted();
      return;
    }
    this.#used -= 1;
    if (this.#used === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
