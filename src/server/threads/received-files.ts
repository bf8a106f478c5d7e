import { readFileSync } from 'node:fs';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Contents, FollowFilesOptions } from '../files/follow-files.ts';
import type { OptionFiles } from '../files/option-files.ts';
import { readOptionFile } from '../files/read-option-file.ts';
import type { FilesConnection, FilesMessage } from './published-files.ts';

interface Follower {
  readonly paths: readonly string[];
  /** Applies the current contents. */
  readonly use: () => void;
}

/** The option files in an additional thread: the contents that the first thread has applied. */
export class ReceivedFiles implements OptionFiles {
  readonly isReader = false;
  readonly #port: MessagePort;
  readonly #latest: Int32Array;
  readonly #contents: Map<string, Buffer>;
  readonly #followers = new Set<Follower>();
  #taken: number;
  #isTaking = false;

  constructor({ port, latest, change, contents }: FilesConnection) {
    this.#port = port;
    this.#latest = new Int32Array(latest);
    this.#taken = change;
    this.#contents = new Map(Array.from(contents, ([path, content]) => [path, Buffer.from(content)]));
    port.on('message', (message: FilesMessage) => this.#take(message));
    // The port must not keep the thread alive.
    port.unref();
  }

  /** Reads the file itself if the first thread has not read it. */
  async read(option: string, path: string): Promise<Buffer> {
    return this.#contents.get(path) ?? readOptionFile(option, path);
  }

  readNow(path: string): Buffer {
    return this.#contents.get(path) ?? readFileSync(path);
  }

  async follow<const Paths extends readonly string[]>(
    paths: Paths,
    { onContents, onError, signal }: FollowFilesOptions<Paths>,
  ): Promise<void> {
    const current = (): Contents<Paths> => paths.map((path) => this.readNow(path)) as unknown as Contents<Paths>;
    const used = onContents(current());
    const follower: Follower = {
      paths,
      use: () => {
        try {
          onContents(current())?.catch(onError);
        } catch (error) {
          onError(error as Error);
        }
      },
    };
    this.#followers.add(follower);
    signal.addEventListener('abort', () => this.#followers.delete(follower), { once: true });
    await used;
  }

  catchUp(): void {
    if (this.#isTaking) return;
    while (Atomics.load(this.#latest, 0) > this.#taken) {
      const next = receiveMessageOnPort(this.#port);
      // The first thread has ended.
      if (next === undefined) return;
      this.#take(next.message);
    }
  }

  #take({ change, contents }: FilesMessage): void {
    this.#taken = change;
    for (const [path, content] of contents) this.#contents.set(path, Buffer.from(content));
    this.#isTaking = true;
    for (const { paths, use } of [...this.#followers]) if (paths.some((path) => contents.has(path))) use();
    this.#isTaking = false;
  }
}
