export interface TimeoutOptions {
  /** The time limit in milliseconds. */
  readonly timeout: number;
  /** Creates the error to reject with, and to abort the work with. */
  readonly expired: () => Error;
}

/** Returns the result of the work. Rejects and aborts its signal when it takes too long. Leaves no timer behind. */
export async function withTimeout<T>(work: (signal: AbortSignal) => Promise<T>, options: TimeoutOptions): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = options.expired();
      reject(error);
      controller.abort(error);
    }, options.timeout);
  });
  try {
    return await Promise.race([work(controller.signal), expiry]);
  } finally {
    clearTimeout(timer);
  }
}
