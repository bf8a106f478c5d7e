type Step = () => void | Promise<void>;

/**
 * What has to be undone before the process ends (child processes, temporary directories), undone in reverse order. One
 * list for the whole run, so that success, failure and Ctrl-C all leave the machine the same way.
 */
export class Cleanup {
  readonly #steps: Step[] = [];
  #running: Promise<void> | undefined;

  /** Remembers a step; the returned function runs it at once instead of at the end. Either way it runs only once. */
  add(step: Step): () => Promise<void> {
    if (this.#running) {
      // Ctrl-C came while something was being started: it goes away again, and whoever wanted it must not go on.
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

  /** Runs every remaining step, also when one of them fails. Whoever calls it, and however often, waits for the same run. */
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
