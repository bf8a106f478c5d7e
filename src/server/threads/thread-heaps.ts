type Listener = () => void;

/**
 * What the heaps of the additional threads of this process need. V8 has one set of flags for all threads, so the code
 * that limits the growth of heaps needs to know.
 */
class ThreadHeaps {
  #growing = 0;
  #loading = 0;
  #listener: Listener = () => {};

  /** The number of threads whose young generation is too small for their load. */
  get growing(): number {
    return this.#growing;
  }

  /** The number of threads that load the program. Its compiled code is valid only with V8's default flags. */
  get loading(): number {
    return this.#loading;
  }

  changeGrowing(by: 1 | -1): void {
    this.#growing += by;
    this.#listener();
  }

  changeLoading(by: 1 | -1): void {
    this.#loading += by;
    this.#listener();
  }

  /** Sets the function that is called when a number changes. */
  onChange(listener: Listener): void {
    this.#listener = listener;
  }
}

export const threadHeaps = new ThreadHeaps();
