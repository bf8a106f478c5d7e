import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { contentHash, entityTag } from '../http/discovery/entity-tag.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const compressed = '.gz';

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  /** Undefined when the build has not compressed it. */
  readonly gzip: Buffer | undefined;
  /** The entity tag of the content. */
  readonly tag: string;
}

/** The files of the built pages. Each file is read on first use and kept in memory. */
export class PageFiles {
  readonly #directory: string;
  readonly #names: ReadonlySet<string>;
  readonly #files = new Map<string, Promise<PageFile>>();

  private constructor(directory: string, names: ReadonlySet<string>) {
    this.#directory = directory;
    this.#names = names;
  }

  /** Lists the files once. A directory that does not exist has none. */
  static async open(directory: string): Promise<PageFiles> {
    const names = new Set<string>();
    try {
      for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        names.add(relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return new PageFiles(directory, names);
  }

  /** The name is relative to the directory, with slashes. Only names that were listed are found. */
  find(name: string): Promise<PageFile> | undefined {
    if (!this.#names.has(name) || types[extname(name)] === undefined) return undefined;
    let file = this.#files.get(name);
    if (file === undefined) {
      file = this.#read(name);
      this.#files.set(name, file);
      file.catch(() => this.#files.delete(name));
    }
    return file;
  }

  async #read(name: string): Promise<PageFile> {
    const path = join(this.#directory, name);
    const content = await readFile(path);
    const gzip = this.#names.has(name + compressed) ? await readFile(path + compressed) : undefined;
    return { type: types[extname(name)]!, content, gzip, tag: entityTag(contentHash(content)) };
  }
}
