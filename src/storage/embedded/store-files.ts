import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../storage.ts';

// A little more than the largest value, which goes to the log as a whole.
const MIN_FREE_BYTES = 2 * 1024 * 1024;
const FILES = ['storage.sqlite', 'storage.sqlite-wal'];

const noError = { throwIfNoEntry: false } as const;

interface OpenFile {
  readonly path: string;
  device: number;
  /** 0 until the file has been seen. */
  inode: number;
}

/**
 * The files behind an open database. A file that has been deleted or replaced stays open, and SQLite goes on writing to what
 * nobody will ever find again: so somebody has to look.
 */
export class StoreFiles {
  readonly #directory: string;
  readonly #files: OpenFile[];
  #lost: StorageError | undefined;

  /** Right after the database has been opened. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#files = FILES.map((name) => ({ path: join(directory, name), device: 0, inode: 0 }));
    this.check();
  }

  /** Throws `Unavailable` when the names lead no more to the files that are open. */
  check(): void {
    if (this.#lost) throw this.#lost;
    for (const file of this.#files) {
      const found = statSync(file.path, noError);
      if (found === undefined ? file.inode === 0 : found.ino === file.inode && found.dev === file.device) continue;
      // The log is there from the first write on.
      if (found !== undefined && file.inode === 0) {
        file.inode = found.ino;
        file.device = found.dev;
        continue;
      }
      const what = found === undefined ? 'deleted' : 'replaced';
      throw new StorageError('Unavailable', `${file.path} has been ${what} under the server`);
    }
  }

  /**
   * After a commit: when the file was lost meanwhile, so is the commit. Nothing is taken any more from then on, because the
   * revision of that commit has been used up.
   */
  confirm(): void {
    try {
      this.check();
    } catch (error) {
      this.#lost = error as StorageError;
      throw error;
    }
  }

  /** Throws `Unavailable` when the next write may find no room. */
  checkSpace(): void {
    const { bsize, bfree, bavail } = statfsSync(this.#directory);
    // What the file system reserves is for root.
    const free = bsize * (process.getuid?.() === 0 ? bfree : bavail);
    if (free >= MIN_FREE_BYTES) return;
    throw new StorageError('Unavailable', `the disk of ${this.#directory} is full: ${free} bytes are left`);
  }
}
