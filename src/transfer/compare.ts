import { createHash } from 'node:crypto';
import type { StoredEntry } from '../storage/index.ts';
import { keyOrder } from '../storage/key-order.ts';
import type { ReadBack } from './target.ts';
import { TransferError } from './transfer-error.ts';

export interface ContentDigest {
  readonly count: number;
  /** SHA-256 of all keys and values. */
  readonly digest: string;
}

export interface CompareOptions {
  readonly expected: AsyncIterable<StoredEntry>;
  readonly found: AsyncIterable<StoredEntry>;
  readonly hasOthers: boolean;
  readonly readBack: ReadBack;
  readonly onProgress: (done: number) => void;
}

const progressInterval = 500;

/** Both sources are in key order, so one pass over each is enough. */
export async function compare(options: CompareOptions): Promise<ContentDigest> {
  const { expected, found, hasOthers, readBack, onProgress } = options;
  const actual = found[Symbol.asyncIterator]();
  const digests = { expected: new EntryDigest(), found: new EntryDigest() };
  const next = async (): Promise<StoredEntry | undefined> => {
    const result = await actual.next();
    return result.done ? undefined : result.value;
  };
  try {
    let candidate = await next();
    for await (const { key, value } of expected) {
      while (candidate !== undefined && keyOrder(candidate.key) < keyOrder(key)) {
        if (!hasOthers) throw new TransferError(`the copy has ${candidate.key}, which the source does not have`);
        candidate = await next();
      }
      if (candidate?.key !== key) throw new TransferError(`the copy does not have ${key}`);
      const asRead = candidate.value.equals(value) ? value : await readBack(value, key);
      if (!candidate.value.equals(asRead)) throw new TransferError(`the copy of ${key} is different`);
      digests.expected.add(key, asRead);
      digests.found.add(key, candidate.value);
      if (digests.found.count % progressInterval === 0) onProgress(digests.found.count);
      candidate = await next();
    }
    if (candidate !== undefined && !hasOthers) {
      throw new TransferError(`the copy has ${candidate.key}, which the source does not have`);
    }
  } finally {
    await actual.return?.();
  }
  const [count, digest] = [digests.found.count, digests.found.finish()];
  if (digests.expected.count !== count || digests.expected.finish() !== digest) {
    throw new TransferError('the digest of the copy is not that of the source');
  }
  return { count, digest };
}

/** Counts entries and computes a digest of them. */
export class EntryDigest {
  readonly #hash = createHash('sha256');
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(key: string, value: Buffer): void {
    this.#count += 1;
    this.#hash.update(`${key}\n`).update(value).update('\n');
  }

  finish(): string {
    return this.#hash.digest('hex');
  }
}
