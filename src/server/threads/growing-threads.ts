type Listener = () => void;

/**
 * The further threads of this process whose space for new objects is too small for what they have to do. V8 has one
 * factor by which that space grows in all threads, so whoever limits it must know whether others still have to grow.
 */
class GrowingThreads {
  #count = 0;
  #listener: Listener = () => {};

  get count(): number {
    return this.#count;
  }

  change(by: 1 | -1): void {
    this.#count += by;
    this.#listener();
  }

  /** Called when the number has changed. */
  onChange(listener: Listener): void {
    this.#listener = listener;
  }
}

export const growingThreads = new GrowingThreads();
