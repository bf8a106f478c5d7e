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
  /** Called with errors in the handling of old files. */
  readonly onFault: (error: Error) => void;
  readonly now?: () => Date;
}

/**
 * A file that is renamed to include the time when it gets too large. After an error it is reopened for the next lines.
 */
export class RotatingFile implements LineFile {
  readonly #options: RotatingFileOptions;
  readonly #maxBytes: number;
  readonly #backups: BackupFiles;
  #file: FileHandle | undefined;
  #size = 0;
  /** The last line has no line feed. */
  #isTorn = false;
  #pruned: Promise<void> = Promise.resolve();

  private constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#maxBytes = (options.maxSizeMegabytes || defaultMegabytes) * megabyte;
    this.#backups = new BackupFiles(options);
  }

  /** Creates missing directories. Rejects when the path is not writable. */
  static async open(options: RotatingFileOptions): Promise<RotatingFile> {
    const file = new RotatingFile(options);
    await file.#open();
    file.#prune();
    return file;
  }

  async write(lines: readonly Buffer[]): Promise<void> {
    let first = 0;
    while (first < lines.length) {
      const file = this.#file ?? (await this.#open());
      const end = this.#endOfFitting(lines, first);
      if (end === first) {
        await this.#rotate();
        continue;
      }
      const batch = lines.slice(first, end);
      await this.#append(file, Buffer.concat(this.#isTorn ? [lineFeed, ...batch] : batch));
      first = end;
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
    await this.#pruned;
  }

  /** Returns the end index of the lines that fit into the file. An empty file takes at least one line of any length. */
  #endOfFitting(lines: readonly Buffer[], first: number): number {
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
      // Closing may fail for the same reason.
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
    // Another process may have removed it.
    if (await exists(path)) await rename(path, await this.#freeName(now()));
    await this.#open();
    this.#prune();
  }

  /** Files rotated in the same millisecond need different names. */
  async #freeName(time: Date): Promise<string> {
    for (let at = time.getTime(); ; at++) {
      const name = this.#backups.nameAt(new Date(at));
      if (!(await exists(name)) && !(await exists(`${name}.gz`))) return name;
    }
  }

  /** Processes old files in the background, one run at a time. */
  #prune(): void {
    this.#pruned = this.#pruned.then(() => this.#backups.prune()).catch(this.#options.onFault);
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
