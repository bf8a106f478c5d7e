type Listener = () => void;

/**
 * The additional threads of this process whose young generation is too small for their load. V8 has one growth factor
 * for all threads, so the code that limits it needs to know whether some thread still has to grow.
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

  /** Sets the function that is called when the number changes. */
  onChange(listener: Listener): void {
    this.#listener = listener;
  }
}

export const growingThreads = new GrowingThreads();
