import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupFiles } from './backup-files.ts';
import type { LineFile } from './line-file.ts';

const megabyte = 1024 * 1024;
const defaultMegabytes = 100;
const lineFeed = Buffer.from('\n');

export interface RotatingFileOptions {
  readonly path: string;
  readonly maxSizeMegabytes: number;
  readonly maxAgeDays: number;
  readonly maxBackups: number;
  readonly compress: boolean;
  /** Hears what goes wrong with old files. */
  readonly onFault: (error: Error) => void;
  readonly now?: () => Date;
}

/**
 * A file that is put aside under the time of the day when it gets too large. After an error it is opened again for the next
 * lines.
 */
export class RotatingFile implements LineFile {
  readonly #options: RotatingFileOptions;
  readonly #maxBytes: number;
  readonly #backups: BackupFiles;
  #file: FileHandle | undefined;
  #size = 0;
  /** The last line has no end. */
  #isTorn = false;
  #tidied: Promise<void> = Promise.resolve();

  private constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#maxBytes = (options.maxSizeMegabytes || defaultMegabytes) * megabyte;
    this.#backups = new BackupFiles(options);
  }

  /** Makes what is missing. Rejects when nothing can be written there. */
  static async open(options: RotatingFileOptions): Promise<RotatingFile> {
    const file = new RotatingFile(options);
    await file.#open();
    file.#tidy();
    return file;
  }

  async write(lines: readonly Buffer[]): Promise<void> {
    let first = 0;
    while (first < lines.length) {
      const file = this.#file ?? (await this.#open());
      const end = this.#fitting(lines, first);
      if (end === first) {
        await this.#rotate();
        continue;
      }
      const part = lines.slice(first, end);
      await this.#append(file, Buffer.concat(this.#isTorn ? [lineFeed, ...part] : part));
      first = end;
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
    await this.#tidied;
  }

  /** The end of what the file still takes. An empty one takes at least one line, however long that is. */
  #fitting(lines: readonly Buffer[], first: number): number {
    let size = this.#size;
    let end = first;
    while (end < lines.length && (size === 0 || size + lines[end]!.length <= this.#maxBytes)) {
      size += lines[end]!.length;
      end++;
    }
    return end;
  }

  async #append(file: FileHandle, bytes: Buffer): Promise<void> {
    let written = 0;
    try {
      while (written < bytes.length) {
        const { bytesWritten } = await file.write(bytes, written);
        written += bytesWritten;
      }
      this.#isTorn = false;
    } catch (error) {
      if (written > 0) this.#isTorn = bytes[written - 1] !== lineFeed[0];
      this.#file = undefined;
      // What is broken may also not close.
      await file.close().catch(() => {});
      throw error;
    } finally {
      this.#size += written;
    }
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#options;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    this.#file = file;
    this.#size = (await file.stat()).size;
    return file;
  }

  async #rotate(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#isTorn = false;
    await file?.close();
    const { path, now = () => new Date() } = this.#options;
    // Somebody else may have taken it away.
    if (await exists(path)) await rename(path, await this.#freeName(now()));
    await this.#open();
    this.#tidy();
  }

  /** Two files in one millisecond must not become one. */
  async #freeName(time: Date): Promise<string> {
    for (let at = time.getTime(); ; at++) {
      const name = this.#backups.nameAt(new Date(at));
      if (!(await exists(name)) && !(await exists(`${name}.gz`))) return name;
    }
  }

  /** Old files are looked after beside the writing, one time after the other. */
  #tidy(): void {
    this.#tidied = this.#tidied.then(() => this.#backups.tidy()).catch(this.#options.onFault);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
