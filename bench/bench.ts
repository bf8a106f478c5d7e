import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import type { Cleanup } from './cleanup.ts';

/** A resource that several scenarios share. Created when the first of them requests it. */
export type Fixture<T> = (bench: Bench) => Promise<T>;

export const repositoryRoot = path.resolve(import.meta.dirname, '..');

/** One run of the benchmarks: its options, its cleanup steps and the fixtures that scenarios share. */
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
   * Creates a directory that is removed at the end of the run. It is inside the checkout because the system's temporary
   * directory is often in memory, where fsync costs nothing and a durable store would look faster than it is.
   */
  async makeDirectory(): Promise<string> {
    const parent = path.join(repositoryRoot, '.cache');
    await mkdir(parent, { recursive: true });
    const directory = await mkdtemp(path.join(parent, 'bench-'));
    this.cleanup.add(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
    return directory;
  }

  /** Progress goes to stderr, so that stdout contains only the result. */
  log(text: string): void {
    console.error(`bench: ${text}`);
  }
}
