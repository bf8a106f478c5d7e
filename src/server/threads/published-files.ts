import { readFileSync } from 'node:fs';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type FollowFilesOptions, followFiles } from '../files/follow-files.ts';
import type { OptionFiles } from '../files/option-files.ts';
import { readOptionFile } from '../files/read-option-file.ts';

/** The connection through which an additional thread gets the files. The port must be transferred to the thread. */
export interface FilesConnection {
  readonly port: MessagePort;
  /** Shared memory with the number of the latest change. */
  readonly latest: SharedArrayBuffer;
  /** The number of the latest change that the contents include. */
  readonly change: number;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Contents that the first thread has applied. */
export interface FilesMessage {
  readonly change: number;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/**
 * The option files in the first thread, which reads and checks them for all threads. It sends contents that it has
 * applied to the others, and then sets the number of the latest change. The others read it before each request.
 */
export class PublishedFiles implements OptionFiles {
  readonly isReader = true;
  readonly #contents = new Map<string, Buffer>();
  /** Contents that were read since the last change was sent. */
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
        // In the same turn, so that the first thread serves no request with contents that the others do not have.
        for (const [index, path] of paths.entries()) this.#keep(path, contents[index]!);
        this.#send();
        return used;
      },
    });
  }

  catchUp(): void {}

  /** Connects a thread, until its port closes. */
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
