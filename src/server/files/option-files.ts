import { readFileSync } from 'node:fs';
import { type FollowFilesOptions, followFiles } from './follow-files.ts';
import { readOptionFile } from './read-option-file.ts';

/** The files that options name, as one thread of the server sees them. */
export interface OptionFiles {
  /** Whether this thread reads the files itself. Then it also tells what became of a change. */
  readonly isReader: boolean;
  /** Rejects with a RangeError that names the option. */
  read(option: string, path: string): Promise<Buffer>;
  /** For files that another file names. Throws what the file system says. */
  readNow(path: string): Buffer;
  /**
   * Passes on the contents of files that are valid only together, now and after every change. Resolves when the first
   * contents are in force; rejects when they cannot be read or are invalid.
   */
  follow<const Paths extends readonly string[]>(paths: Paths, options: FollowFilesOptions<Paths>): Promise<void>;
  /** Puts in force, before it returns, what any thread has put in force. */
  catchUp(): void;
}

/** Of a server of one thread. */
export const filesOnDisk: OptionFiles = {
  isReader: true,
  read: readOptionFile,
  readNow: (path) => readFileSync(path),
  follow: followFiles,
  catchUp: () => {},
};
