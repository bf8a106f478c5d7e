import { resolve } from 'node:path';
import { createMemoryStorage, openEmbeddedStorage, type Storage, startCompactor } from '../storage/index.ts';

/** Objects that the server keeps itself. */
export interface StoredObjects {
  readonly storage: 'memory' | { readonly directory: string };
}

/**
 * The server keeps the objects: in memory, until it stops, or durably in a directory. Several resources may use the
 * same directory, but only one server at a time.
 */
export function storedObjects(options: StoredObjects): StoredObjects {
  return { storage: options.storage };
}

/** The stores of one server, each opened once. */
export class Storages {
  readonly #memory: Storage;
  readonly #directories = new Map<string, Promise<Storage>>();
  readonly #opened: Storage[];
  readonly #onError: (error: unknown) => void;
  readonly #signal: AbortSignal;

  /** The signal ends the removal of old history. */
  constructor(onError: (error: unknown) => void, signal: AbortSignal) {
    this.#onError = onError;
    this.#signal = signal;
    // Clients keep their versions when this server restarts, so that versions of memory must not repeat: 100 per
    // millisecond is more than can be written.
    this.#memory = createMemoryStorage({ firstRevision: Date.now() * 100 });
    this.#opened = [this.#memory];
    this.#compact(this.#memory);
  }

  get memory(): Storage {
    return this.#memory;
  }

  async open({ storage }: StoredObjects): Promise<Storage> {
    if (storage === 'memory') return this.#memory;
    const directory = resolve(storage.directory);
    const known = this.#directories.get(directory) ?? this.#openDirectory(directory);
    this.#directories.set(directory, known);
    return known;
  }

  async #openDirectory(directory: string): Promise<Storage> {
    const storage = await openEmbeddedStorage({ directory });
    this.#opened.push(storage);
    this.#compact(storage);
    return storage;
  }

  #compact(storage: Storage): void {
    startCompactor({ storage, onError: this.#onError, signal: this.#signal });
  }

  async probe(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#opened.map((storage) => storage.probe(signal)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((storage) => storage.close()));
  }
}
