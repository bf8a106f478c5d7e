interface Endable {
  end(): void;
}

/** The open watches of a server, which are ended when it stops. */
export class OpenWatches {
  // Not listeners of the signal: removing one would take time proportional to their number.
  readonly #open = new Set<Endable>();
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

  get stopped(): boolean {
    return this.#signal.aborted;
  }

  add(watch: Endable): void {
    this.#open.add(watch);
  }

  delete(watch: Endable): void {
    this.#open.delete(watch);
  }
}
