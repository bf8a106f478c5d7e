interface Endable {
  end(): void;
}

/** The watches of a server, so that they can be ended when it stops. */
export class OpenWatches {
  // Not listeners of the signal: to remove one of them would cost a walk over all.
  readonly #open = new Set<Endable>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      for (const watch of this.#open) watch.end();
    });
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
