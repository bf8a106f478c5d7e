type Step = () => void | Promise<void>;

/**
 * Steps to run before the process ends (child processes, temporary directories), in reverse order. One list serves the
 * whole run, so that success, failure and Ctrl-C all clean up in the same way.
 */
export class Cleanup {
  readonly #steps: Step[] = [];
  #running: Promise<void> | undefined;

  /** Adds a step. The returned function runs it immediately instead of at the end. A step runs only once. */
  add(step: Step): () => Promise<void> {
    if (this.#running) {
      // Ctrl-C arrived while a resource was being created: release it and make the caller fail.
      void step();
      throw new Error('the bench is ending');
    }
    this.#steps.push(step);
    return async () => {
      const index = this.#steps.indexOf(step);
      if (index < 0) return;
      this.#steps.splice(index, 1);
      await step();
    };
  }

  /** Runs all remaining steps, even when some fail. All callers wait for the same run. */
  run(): Promise<void> {
    this.#running ??= this.#runSteps();
    return this.#running;
  }

  async #runSteps(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        console.error('bench: cleaning up failed:', error);
      }
    }
  }
}
