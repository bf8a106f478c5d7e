import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const compressedSuffix = '.gz';
const day = 24 * 60 * 60 * 1000;
const timeInName = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/;

export interface BackupFilesOptions {
  readonly path: string;
  /** 0 keeps them forever. */
  readonly maxAgeDays: number;
  /** 0 keeps all. */
  readonly maxBackups: number;
  readonly compress: boolean;
  readonly now?: () => Date;
}

interface Backup {
  readonly path: string;
  readonly time: number;
}

/** The old files of a log: `name-<time>.ext` next to `name.ext`, some of them compressed. */
export class BackupFiles {
  readonly #options: BackupFilesOptions;
  readonly #prefix: string;
  readonly #extension: string;

  constructor(options: BackupFilesOptions) {
    this.#options = options;
    this.#extension = extname(options.path);
    this.#prefix = `${basename(options.path, this.#extension)}-`;
  }

  nameAt(time: Date): string {
    const text = time.toISOString().slice(0, -1).replaceAll(':', '-');
    return join(dirname(this.#options.path), `${this.#prefix}${text}${this.#extension}`);
  }

  /** Removes files beyond the age and count limits and compresses the rest if configured. */
  async prune(): Promise<void> {
    const { maxAgeDays, maxBackups, compress, now = () => new Date() } = this.#options;
    if (maxAgeDays === 0 && maxBackups === 0 && !compress) return;
    const backups = await this.#list();
    const oldest = maxAgeDays === 0 ? Number.NEGATIVE_INFINITY : now().getTime() - maxAgeDays * day;
    const maxKept = maxBackups === 0 ? backups.length : maxBackups;
    for (const [index, { path, time }] of backups.entries()) {
      if (index >= maxKept || time < oldest) await unlink(path);
      else if (compress && !path.endsWith(compressedSuffix)) await compressFile(path);
    }
  }

  /** Newest first. */
  async #list(): Promise<Backup[]> {
    const directory = dirname(this.#options.path);
    const backups = (await readdir(directory)).flatMap((name) => {
      const time = this.#timeOf(name);
      return time === undefined ? [] : [{ path: join(directory, name), time }];
    });
    return backups.sort((a, b) => b.time - a.time);
  }

  #timeOf(name: string): number | undefined {
    const plain = name.endsWith(compressedSuffix) ? name.slice(0, -compressedSuffix.length) : name;
    if (!plain.startsWith(this.#prefix) || !plain.endsWith(this.#extension)) return undefined;
    const text = plain.slice(this.#prefix.length, plain.length - this.#extension.length);
    const time = Date.parse(text.replace(timeInName, '$1$2:$3:$4Z'));
    return timeInName.test(text) && !Number.isNaN(time) ? time : undefined;
  }
}

/** Writes to a temporary name first, so that a partial file is never taken for a complete one. */
async function compressFile(path: string): Promise<void> {
  const partial = `${path}.partial`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(partial, { mode: 0o600 }));
  await rename(partial, path + compressedSuffix);
  await unlink(path);
}
