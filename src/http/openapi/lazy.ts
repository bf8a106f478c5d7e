/** A value that is expensive to build. It is built on first use, and again if that failed. */
export class Lazy<T> {
  readonly #build: () => Promise<T>;
  #value: Promise<T> | undefined;

  constructor(build: () => Promise<T>) {
    this.#build = build;
  }

  get(): Promise<T> {
    if (this.#value === undefined) {
      this.#value = this.#build();
      this.#value.catch(() => {
        this.#value = undefined;
      });
    }
    return this.#value;
  }
}
