/** Reads the revision of the store. Callers that arrive while a read is in flight share the next one. */
export class LatestRevision {
  readonly #read: () => Promise<number>;
  #current: Promise<number> | undefined;
  #next: Promise<number> | undefined;
  /** The greatest one that was read. */
  last: number;

  constructor(last: number, read: () => Promise<number>) {
    this.last = last;
    this.#read = read;
  }

  get(): Promise<number> {
    if (this.#current === undefined) return this.#start();
    // The read in flight may have been executed before this call.
    this.#next ??= this.#current.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<number> {
    this.#next = undefined;
    const reading = this.#read();
    this.#current = reading;
    const done = (): void => {
      if (this.#current === reading) this.#current = undefined;
    };
    return reading.then(
      (revision) => {
        done();
        this.last = revision;
        return revision;
      },
      (error) => {
        done();
        throw error;
      },
    );
  }
}
