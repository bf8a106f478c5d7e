import { readFile, stat } from 'node:fs/promises';

export interface FollowFileOptions {
  /** Called with the first content and with every change. If it fails, the previous content stays in force. */
  readonly onContent: (content: Buffer) => void | Promise<void>;
  /** Called when the file cannot be read or its new content is invalid. */
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
  /** The polling interval in milliseconds. */
  readonly intervalMs?: number;
}

/**
 * Applies the content of a file, now and after every change. Resolves when the first content has been applied; rejects
 * when the file cannot be read or its first content is invalid. Polls the file, because file system notifications get
 * lost when directories are replaced by symlinks.
 */
export async function followFile(path: string, options: FollowFileOptions): Promise<void> {
  const follower = new FileFollower(path, options);
  await follower.read();
  follower.schedule();
}

class FileFollower {
  readonly #path: string;
  readonly #options: FollowFileOptions;
  #lastFingerprint = '';
  #content: Buffer | undefined;
  #failure = '';

  constructor(path: string, options: FollowFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  schedule(): void {
    const { intervalMs = 1000 } = this.#options;
    // The next poll checks the signal.
    setTimeout(() => void this.#poll(), intervalMs).unref();
  }

  async read(): Promise<void> {
    const fingerprint = await this.#fingerprint();
    const content = await readFile(this.#path);
    this.#lastFingerprint = fingerprint;
    if (this.#content?.equals(content)) return;
    this.#content = content;
    await this.#options.onContent(content);
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

  /** A cheap fingerprint that changes with the content. */
  async #fingerprint(): Promise<string> {
    const { mtimeMs, size, ino } = await stat(this.#path);
    return `${mtimeMs} ${size} ${ino}`;
  }

  /** Reports each error once, because the file may be missing for days. */
  #report(error: Error): void {
    if (error.message === this.#failure || this.#options.signal.aborted) return;
    this.#failure = error.message;
    this.#options.onError(error);
  }
}
