import type { LineFile } from './line-file.ts';

interface Group {
  readonly lines: Buffer[];
  /** Undefined when all is written. */
  readonly done: PromiseWithResolvers<Error | undefined>;
}

/** Writes lines in order. What comes while a write is under way goes into the next one, all together. */
export class GroupWriter {
  readonly #file: LineFile;
  #next: Group | undefined = undefined;
  #current: Promise<unknown> = Promise.resolve();
  #isWriting = false;

  constructor(file: LineFile) {
    this.#file = file;
  }

  /** Resolves when the line is written, or to what went wrong. */
  write(line: Buffer): Promise<Error | undefined> {
    this.#next ??= { lines: [], done: Promise.withResolvers() };
    const { lines, done } = this.#next;
    lines.push(line);
    if (!this.#isWriting) void this.#run();
    return done.promise;
  }

  /** Resolves when everything that was given before is written or has failed. */
  async flush(): Promise<void> {
    while (this.#isWriting) await (this.#next?.done.promise ?? this.#current);
  }

  async #run(): Promise<void> {
    this.#isWriting = true;
    // Those that come in this very turn go along.
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
