import { flushSoon } from '../../streams/turn-end.ts';

/**
 * Reads the revision of the store. A read serves all callers of one turn of the event loop, and all that arrive while
 * another one is in flight: they share its cost, and their responses are sent together.
 */
export class LatestRevision {
  readonly #read: () => Promise<number>;
  /** The read that has not started yet. */
  #next: PromiseWithResolvers<number> | undefined;
  /** Whether a read is in flight or scheduled. */
  #isBusy = false;
  /** The greatest revision that was read. */
  last: number;

  constructor(last: number, read: () => Promise<number>) {
    this.last = last;
    this.#read = read;
  }

  get(): Promise<number> {
    // The read in flight may have been executed before this call.
    this.#next ??= Promise.withResolvers();
    if (!this.#isBusy) {
      this.#isBusy = true;
      // Deferred, so that all requests of this turn join this read.
      flushSoon({ flush: () => this.#start() });
    }
    return this.#next.promise;
  }

  #start(): void {
    const { resolve, reject } = this.#next!;
    this.#next = undefined;
    const done = (): void => {
      if (this.#next === undefined) this.#isBusy = false;
      else this.#start();
    };
    this.#read().then(
      (revision) => {
        this.last = revision;
        resolve(revision);
        done();
      },
      (error) => {
        reject(error);
        done();
      },
    );
  }
}
