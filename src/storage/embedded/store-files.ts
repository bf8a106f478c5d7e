import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../storage.ts';

// Slightly more than the largest value, which is written to the log in one piece.
const minFreeBytes = 2 * 1024 * 1024;
const fileNames = ['storage.sqlite', 'storage.sqlite-wal', 'storage.sqlite-redo'];

const noError = { throwIfNoEntry: false } as const;

interface OpenFile {
  readonly path: string;
  device: number;
  /** 0 until the file has been seen. */
  inode: number;
}

/**
 * Monitors the files of an open database. SQLite keeps a deleted or replaced file open and continues to write to it,
 * although the data can no longer be found by name. These checks detect that.
 */
export class StoreFiles {
  readonly #directory: string;
  readonly #files: OpenFile[];
  #lost: StorageError | undefined;

  /** Must be called right after the database has been opened. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#files = fileNames.map((name) => ({ path: join(directory, name), device: 0, inode: 0 }));
    this.check();
  }

  /** Throws `Unavailable` when the file names no longer refer to the open files. */
  check(): void {
    if (this.#lost) throw this.#lost;
    for (const file of this.#files) {
      const found = statSync(file.path, noError);
      if (found === undefined ? file.inode === 0 : found.ino === file.inode && found.dev === file.device) continue;
      // The logs do not exist before the first write.
      if (found !== undefined && file.inode === 0) {
        file.inode = found.ino;
        file.device = found.dev;
        continue;
      }
      const what = found === undefined ? 'deleted' : 'replaced';
      const problem = `${file.path} has been ${what} while the server is running`;
      const remedy = `Stop the server, put the files of ${this.#directory} back or restore a backup, and start it again`;
      throw new StorageError('Unavailable', `${problem}. ${remedy}`);
    }
  }

  /**
   * Must be called after a commit. If a file was lost in the meantime, so was the commit. All later commits are
   * refused, because the revision of the lost commit has been used.
   */
  confirm(): void {
    try {
      this.check();
    } catch (error) {
      this.#lost = error as StorageError;
      throw error;
    }
  }

  /** Whether the disk has space for the largest value, which is written in one piece, and for this many bytes. */
  hasSpace(bytes: number): boolean {
    return this.#freeBytes() >= minFreeBytes + bytes;
  }

  /** Throws `Unavailable` when the next write may run out of disk space. */
  checkSpace(): void {
    const free = this.#freeBytes();
    if (free >= minFreeBytes) return;
    const problem = `the disk of ${this.#directory} is full: ${free} bytes are left`;
    throw new StorageError('Unavailable', `${problem}. Free space on it. Nothing need be restarted`);
  }

  #freeBytes(): number {
    const { bsize, bfree, bavail } = statfsSync(this.#directory);
    // Blocks that the file system reserves are available to root only.
    return bsize * (process.getuid?.() === 0 ? bfree : bavail);
  }
}
