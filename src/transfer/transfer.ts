import { isObjectKey, isServedKey, keyGroup } from '../kubernetes-layout/index.ts';
import type { StoredEntry } from '../storage/index.ts';
import { type ContentDigest, compare } from './compare.ts';
import type { Source } from './source.ts';
import type { ReadBack, Target } from './target.ts';
import { TransferError } from './transfer-error.ts';

export type Phase = 'copy' | 'verify';

export interface CopyOptions {
  readonly source: Source;
  readonly target: Target;
  /** Whether to skip objects that cannot be read. Otherwise they are an error. */
  readonly skipUnreadable: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/** Called periodically with the number of processed keys. */
export type OnProgress = (phase: Phase, done: number) => void;

export interface CopyReport {
  /** The number of objects that were added, without those of an interrupted copy. */
  readonly copied: number;
  /** Keys that are not copied because they are not objects of a known type: their number by key prefix. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly unreadable: UnreadableObjects;
}

export interface UnreadableObjects {
  readonly count: number;
  /** The first unreadable objects, as `key: reason`. */
  readonly named: readonly string[];
}

const maxNamed = 10;

/** Copies all objects. Rejects with a `TransferError`; then the target is incomplete, and the copy can be continued. */
export async function copy({ source, target, skipUnreadable, onProgress }: CopyOptions): Promise<CopyReport> {
  const leftOut = new Map<string, number>();
  const named: string[] = [];
  let unreadable = 0;
  let copied = 0;
  let seen = 0;
  for await (const entries of source.entries(target.after)) {
    const readable: StoredEntry[] = [];
    for (const entry of entries) {
      const { key, corrupt } = entry;
      if (!isTransferred(key)) leftOut.set(keyGroup(key), (leftOut.get(keyGroup(key)) ?? 0) + 1);
      else if (corrupt === undefined) readable.push(entry);
      else if (++unreadable <= maxNamed) named.push(`${key}: ${corrupt}`);
    }
    // After the first problem the others are only counted.
    if (skipUnreadable || unreadable === 0) {
      await target.add(readable);
      copied += readable.length;
    }
    seen += entries.length;
    onProgress?.('copy', seen);
  }
  if (unreadable > 0 && !skipUnreadable) throw unreadableError({ count: unreadable, named });
  await target.finish();
  return { copied, leftOut, unreadable: { count: unreadable, named } };
}

/** Whether the key is that of an object whose type is known, served or not. */
function isTransferred(key: string): boolean {
  return isObjectKey(key) && isServedKey(key);
}

function unreadableError({ count, named }: UnreadableObjects): TransferError {
  const more = count > named.length ? [`and ${count - named.length} more`] : [];
  const problem = `${count} objects cannot be read (--skip-unreadable leaves them out)`;
  return new TransferError([problem, ...named, ...more].join('\n  '));
}

export interface VerifyOptions {
  readonly source: Source;
  /** The content of the target. */
  readonly copied: Source;
  /** Whether the target may also have other objects. */
  readonly hasOthers: boolean;
  readonly readBack: ReadBack;
  readonly onProgress?: OnProgress | undefined;
}

/** Compares every object. Rejects with a `TransferError` that names the first difference. */
export async function verify({
  source,
  copied,
  hasOthers,
  readBack,
  onProgress,
}: VerifyOptions): Promise<ContentDigest> {
  return compare({
    expected: transferred(source),
    found: transferred(copied),
    hasOthers,
    readBack,
    onProgress: (done) => onProgress?.('verify', done),
  });
}

async function* transferred(source: Source): AsyncGenerator<StoredEntry> {
  for await (const entries of source.entries()) {
    for (const entry of entries) if (entry.corrupt === undefined && isTransferred(entry.key)) yield entry;
  }
}
