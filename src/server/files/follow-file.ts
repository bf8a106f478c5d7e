import { readFile, stat } from 'node:fs/promises';

export interface FollowFileOptions {
  /** Called with the first content and with every other one. When it fails, the content before stays in force. */
  readonly onContent: (content: Buffer) => void | Promise<void>;
  /** Told that the file cannot be read any more, or that its new content is not usable. */
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
  /** How often to look, in milliseconds. */
  readonly intervalMs?: number;
}

/**
 * Hands over the content of a file, now and whenever it has changed. Resolves when the first content is in force; rejects
 * when the file cannot be read or its first content is not usable. Looks at the file in turns instead of waiting for
 * notices, which are lost where directories are exchanged below their names.
 */
export async function followFile(path: string, options: FollowFileOptions): Promise<void> {
  const follower = new FileFollower(path, options);
  await follower.read();
  follower.schedule();
}

class FileFollower {
  readonly #path: string;
  readonly #options: FollowFileOptions;
  #seen = '';
  #content: Buffer | undefined;
  #failure = '';

  constructor(path: string, options: FollowFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  schedule(): void {
    const { intervalMs = 1000 } = this.#options;
    // The next turn sees for itself whether it is still wanted.
    setTimeout(() => void this.#look(), intervalMs).unref();
  }

  async read(): Promise<void> {
    const seen = await this.#state();
    const content = await readFile(this.#path);
    this.#seen = seen;
    if (this.#content?.equals(content)) return;
    this.#content = content;
    await this.#options.onContent(content);
  }

  async #look(): Promise<void> {
    if (this.#options.signal.aborted) return;
    try {
      if ((await this.#state()) !== this.#seen) await this.read();
      this.#failure = '';
    } catch (error) {
      this.#report(error as Error);
    }
    this.schedule();
  }

  /** What tells a new content from an old one without reading it. */
  async #state(): Promise<string> {
    const { mtimeMs, size, ino } = await stat(this.#path);
    return `${mtimeMs} ${size} ${ino}`;
  }

  /** Once per cause: the file may stay away for days. */
  #report(error: Error): void {
    if (error.message === this.#failure || this.#options.signal.aborted) return;
    this.#failure = error.message;
    this.#options.onError(error);
  }
}
