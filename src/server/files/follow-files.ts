import { readFile, stat } from 'node:fs/promises';

/** The content of each file. */
export type Contents<Paths extends readonly string[]> = { readonly [Index in keyof Paths]: Buffer };

export interface FollowFilesOptions<Paths extends readonly string[]> {
  /**
   * Called with the first contents and after every change. If it throws, the previous contents stay in use. A returned
   * promise is awaited before the next change, although the contents are in use already.
   */
  readonly onContents: (contents: Contents<Paths>) => void | Promise<void>;
  /** Called when a file cannot be read or the new contents are invalid. */
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
  /** The polling interval in milliseconds. */
  readonly intervalMs?: number;
}

/**
 * Reports the contents of files that belong together, such as a certificate and its key: now, and after every change.
 * Resolves when the first contents are applied. Rejects when a file cannot be read or the first contents are invalid.
 * Polls the files, because file system notifications get lost when directories are replaced by symlinks.
 */
export async function followFiles<const Paths extends readonly string[]>(
  paths: Paths,
  options: FollowFilesOptions<Paths>,
): Promise<void> {
  const follower = new FileFollower(paths, options);
  await follower.read();
  follower.schedule();
}

class FileFollower<const Paths extends readonly string[]> {
  readonly #paths: Paths;
  readonly #options: FollowFilesOptions<Paths>;
  #lastFingerprint = '';
  #contents: readonly Buffer[] | undefined;
  #failure = '';

  constructor(paths: Paths, options: FollowFilesOptions<Paths>) {
    this.#paths = paths;
    this.#options = options;
  }

  schedule(): void {
    const { intervalMs = 1000 } = this.#options;
    // The next poll checks the signal.
    setTimeout(() => void this.#poll(), intervalMs).unref();
  }

  async read(): Promise<void> {
    const fingerprint = await this.#fingerprint();
    const contents = await Promise.all(this.#paths.map((path) => readFile(path)));
    this.#lastFingerprint = fingerprint;
    if (this.#contents?.every((content, index) => content.equals(contents[index]!))) return;
    this.#contents = contents;
    await this.#options.onContents(contents as Contents<Paths>);
  }

  async #poll(): Promise<void> {
    if (this.#options.signal.aborted) return;
    try {
      if ((await this.#fingerprint()) !== this.#lastFingerprint) await this.read();
      this.#failure = '';
    } catch (error) {
      this.#report(error as Error);
    }
    this.schedule();
  }

  /** A cheap fingerprint that changes with the contents. */
  async #fingerprint(): Promise<string> {
    const found = await Promise.all(this.#paths.map((path) => stat(path)));
    return found.map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`).join();
  }

  /** Reports each error once, because the file may be missing for days. */
  #report(error: Error): void {
    if (error.message === this.#failure || this.#options.signal.aborted) return;
    this.#failure = error.message;
    this.#options.onError(error);
  }
}
