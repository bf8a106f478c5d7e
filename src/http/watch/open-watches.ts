interface OpenWatch {
  end(): void;
  /** Ends the watch with an ERROR event. */
  fail(error: Error): void;
  /** Whether events wait to be sent. */
  readonly isBehind: boolean;
  /** The user agent of the client. */
  readonly userAgent: string;
}

/** The open watches of a server, which are ended when it stops. */
export class OpenWatches {
  // A set instead of listeners of the signal: removing a listener takes time proportional to their number.
  readonly #open = new Set<OpenWatch>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      for (const watch of this.#open) watch.end();
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Returns the number of watches with unsent events, of clients whose user agent contains the text. */
  behind(userAgent = ''): number {
    let count = 0;
    for (const watch of this.#open) if (watch.isBehind && watch.userAgent.includes(userAgent)) count++;
    return count;
  }

  /** Ends all watches with an ERROR event, except those of clients whose user agent begins with the text. */
  failAll(error: Error, { except }: { readonly except: string }): void {
    for (const watch of [...this.#open]) if (!watch.userAgent.startsWith(except)) watch.fail(error);
  }

  get stopped(): boolean {
    return this.#signal.aborted;
  }

  add(watch: OpenWatch): void {
    this.#open.add(watch);
  }

  delete(watch: OpenWatch): void {
    this.#open.delete(watch);
  }
}
