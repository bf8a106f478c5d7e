import { readFileSync } from 'node:fs';
import { type FollowFilesOptions, followFiles } from './follow-files.ts';
import { readOptionFile } from './read-option-file.ts';

/** Gives a thread of the server access to the files that options name. */
export interface OptionFiles {
  /** Whether this thread reads the files itself. If so, it also logs the result of a change. */
  readonly isReader: boolean;
  /** Reads a file. Rejects with a RangeError that names the option. */
  read(option: string, path: string): Promise<Buffer>;
  /** Reads a file that another file names. Throws the error of the file system. */
  readNow(path: string): Buffer;
  /**
   * Reports the contents of files that are valid only together, now and after every change. Resolves when the first
   * contents are applied. Rejects when they cannot be read or are invalid.
   */
  follow<const Paths extends readonly string[]>(paths: Paths, options: FollowFilesOptions<Paths>): Promise<void>;
  /** Applies all pending changes synchronously. */
  catchUp(): void;
}

/** The option files of a server with one thread. */
export const filesOnDisk: OptionFiles = {
  isReader: true,
  read: readOptionFile,
  readNow: (path) => readFileSync(path),
  follow: followFiles,
  catchUp: () => {},
};
