import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import type { Cleanup } from './cleanup.ts';

/** Something that several scenarios need and that is made once, when the first of them asks. */
export type Fixture<T> = (bench: Bench) => Promise<T>;

export const repositoryRoot = path.resolve(import.meta.dirname, '..');

/** One run of the benchmarks: its options, what must be undone at its end, and what its scenarios share. */
export class Bench {
  readonly options: BenchOptions;
  readonly cleanup: Cleanup;
  readonly #shared = new Map<Fixture<unknown>, Promise<unknown>>();

  constructor(options: BenchOptions, cleanup: Cleanup) {
    this.options = options;
    this.cleanup = cleanup;
  }

  share<T>(fixture: Fixture<T>): Promise<T> {
    const known = this.#shared.get(fixture) as Promise<T> | undefined;
    if (known) return known;
    const made = fixture(this);
    this.#shared.set(fixture, made);
    return made;
  }

  /**
   * A new directory that goes away with the run. It is in the checkout and not in the system's temporary directory,
   * which is often in memory: there fsync costs nothing and a durable store would look better than it is.
   */
  async makeDirectory(): Promise<string> {
    const parent = path.join(repositoryRoot, '.cache');
    await mkdir(parent, { recursive: true });
    const directory = await mkdtemp(path.join(parent, 'bench-'));
    this.cleanup.add(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
    return directory;
  }

  /** Progress goes to stderr, so that stdout holds the result and nothing else. */
  log(text: string): void {
    console.error(`bench: ${text}`);
  }
}
