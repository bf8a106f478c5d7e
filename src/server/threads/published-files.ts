import { readFileSync } from 'node:fs';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type FollowFilesOptions, followFiles } from '../files/follow-files.ts';
import type { OptionFiles } from '../files/option-files.ts';
import { readOptionFile } from '../files/read-option-file.ts';

/** What a further thread needs to have the files of the first one. It can be sent to one thread, with the port transferred. */
export interface FilesConnection {
  readonly port: MessagePort;
  /** The memory of the number of the latest change. */
  readonly latest: SharedArrayBuffer;
  /** The number of the latest change that is in the contents. */
  readonly change: number;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Contents that are in force in the first thread. */
export interface FilesMessage {
  readonly change: number;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/**
 * The files of the options in the first thread, which reads and checks them for all. What it has put in force is sent to
 * the others before their number becomes the latest one; they look at that number before each request.
 */
export class PublishedFiles implements OptionFiles {
  readonly isReader = true;
  readonly #contents = new Map<string, Buffer>();
  /** What has been read since the last change was sent. */
  #unsent = new Map<string, Buffer>();
  readonly #ports = new Set<MessagePort>();
  readonly #latest = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  async read(option: string, path: string): Promise<Buffer> {
    return this.#keep(path, await readOptionFile(option, path));
  }

  readNow(path: string): Buffer {
    return this.#keep(path, readFileSync(path));
  }

  follow<const Paths extends readonly string[]>(paths: Paths, options: FollowFilesOptions<Paths>): Promise<void> {
    return followFiles(paths, {
      ...options,
      onContents: (contents) => {
        const used = options.onContents(contents);
        // In the same turn: no thread may be asked in between.
        for (const [index, path] of paths.entries()) this.#keep(path, contents[index]!);
        this.#send();
        return used;
      },
    });
  }

  catchUp(): void {}

  /** Connects one more thread, until its port closes. */
  connect(): FilesConnection {
    const { port1, port2 } = new MessageChannel();
    this.#ports.add(port1);
    port1.once('close', () => this.#ports.delete(port1));
    port1.unref();
    const change = Atomics.load(this.#latest, 0);
    return { port: port2, latest: this.#latest.buffer as SharedArrayBuffer, change, contents: new Map(this.#contents) };
  }

  #keep(path: string, content: Buffer): Buffer {
    if (this.#contents.get(path)?.equals(content)) return content;
    this.#contents.set(path, content);
    this.#unsent.set(path, content);
    return content;
  }

  #send(): void {
    if (this.#unsent.size === 0) return;
    const change = Atomics.load(this.#latest, 0) + 1;
    for (const port of this.#ports) port.postMessage({ change, contents: this.#unsent } satisfies FilesMessage);
    this.#unsent = new Map();
    Atomics.store(this.#latest, 0, change);
  }
}
