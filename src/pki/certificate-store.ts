import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';
import type { KeyPair } from './key-pair.ts';

/** Stores certificates and keys under names such as `ca`. */
export interface CertificateStore {
  read(name: string): Promise<StoredPair>;
  write(name: string, pair: KeyPair): Promise<void>;
  /** The name of one half of a pair in messages. */
  describe(name: string, half: keyof KeyPair): string;
}

/** Either half may be missing, after a crash between the two writes or because a user removed the file. */
export interface StoredPair {
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Stores nothing, so that every start creates new certificates. */
export const noStore: CertificateStore = {
  read: async () => ({ cert: undefined, key: undefined }),
  write: async () => {},
  describe: (name, half) => `the ${half} of ${name}`,
};

const suffixes = { cert: 'crt', key: 'key' } as const;

/**
 * Stores `<name>.crt` and `<name>.key` in a directory, which is created with the first pair. Writes wait for
 * `writable`.
 */
export class CertificateDirectory implements CertificateStore {
  readonly #directory: string;
  readonly #writable: Promise<unknown> | undefined;

  constructor(directory: string, writable?: Promise<unknown>) {
    this.#directory = directory;
    this.#writable = writable;
  }

  async read(name: string): Promise<StoredPair> {
    const [cert, key] = await Promise.all([
      readIfPresent(this.describe(name, 'cert')),
      readIfPresent(this.describe(name, 'key')),
    ]);
    return { cert, key };
  }

  async write(name: string, { cert, key }: KeyPair): Promise<void> {
    await this.#writable;
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    // The key first, so that an existing certificate implies an existing key.
    await writeFileAtomically(this.describe(name, 'key'), key, 0o600);
    await writeFileAtomically(this.describe(name, 'cert'), cert, 0o644);
  }

  describe(name: string, half: keyof KeyPair): string {
    return join(this.#directory, `${name}.${suffixes[half]}`);
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`cannot read ${path}`, { cause: error });
  }
}
