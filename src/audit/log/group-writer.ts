import type { LineFile } from './line-file.ts';

interface Group {
  readonly lines: Buffer[];
  /** Resolves to undefined when written. */
  readonly done: PromiseWithResolvers<Error | undefined>;
}

/** Writes lines in order. Lines that arrive during a write are combined into the next one. */
export class GroupWriter {
  readonly #file: LineFile;
  #next: Group | undefined = undefined;
  #current: Promise<unknown> = Promise.resolve();
  #isWriting = false;

  constructor(file: LineFile) {
    this.#file = file;
  }

  /** Resolves to undefined when the lines are written, or to the error. */
  write(...added: readonly Buffer[]): Promise<Error | undefined> {
    this.#next ??= { lines: [], done: Promise.withResolvers() };
    const { lines, done } = this.#next;
    lines.push(...added);
    if (!this.#isWriting) void this.#run();
    return done.promise;
  }

  /** Resolves when all earlier lines are written or have failed. */
  async flush(): Promise<void> {
    while (this.#isWriting) await (this.#next?.done.promise ?? this.#current);
  }

  async #run(): Promise<void> {
    this.#isWriting = true;
    // Lets lines of the same turn of the event loop join this write.
    await Promise.resolve();
    while (this.#next !== undefined) {
      const { lines, done } = this.#next;
      this.#next = undefined;
      this.#current = done.promise;
      done.resolve(await failureOf(this.#file.write(lines)));
    }
    this.#isWriting = false;
  }
}

function failureOf(written: Promise<void>): Promise<Error | undefined> {
  return written.then(
    () => undefined,
    (error: Error) => error,
  );
}
