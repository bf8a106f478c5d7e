import { open, rename, rm, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageError, type StoredEntry } from '../../storage/index.ts';
import { EntryDigest } from '../compare.ts';
import type { Target } from '../target.ts';
import { endLine, entryLine, headLine, readEntry, readHead } from './entry-line.ts';
import { readLines } from './read-lines.ts';

/**
 * A file of objects. It has another name until it is complete, and an interrupted copy is continued. Rejects with
 * `NotEmpty` when the file exists.
 */
export async function fileTarget(path: string, options: { readonly revision: number }): Promise<Target> {
  if (await exists(path)) throw new StorageError('NotEmpty', `${path} exists already`);
  const partial = `${path}.partial`;
  const digest = new EntryDigest();
  const continued = await interrupted(partial, digest);
  if (continued === undefined) await rm(partial, { force: true });
  const file = await open(partial, 'a', 0o600);
  const { revision, after } = continued ?? { ...options, after: undefined };
  if (continued === undefined) await file.appendFile(headLine({ revision }));
  return {
    revision,
    after,
    async add(entries: readonly StoredEntry[]) {
      for (const { key, value } of entries) digest.add(key, value);
      await file.appendFile(Buffer.concat(entries.map(entryLine)));
    },
    async finish() {
      const { count } = digest;
      await file.appendFile(endLine({ count, sha256: digest.finish() }));
      await file.sync();
      await rename(partial, path);
      await syncDirectory(dirname(path));
    },
    close: () => file.close(),
  };
}

interface Interrupted {
  readonly revision: number;
  /** The last key. */
  readonly after: string | undefined;
}

/** Undefined when there is nothing to continue. Content after the last complete line is removed. */
async function interrupted(partial: string, digest: EntryDigest): Promise<Interrupted | undefined> {
  if (!(await exists(partial))) return undefined;
  let revision: number | undefined;
  let after: string | undefined;
  let length = 0;
  for await (const { bytes, end } of readLines(partial)) {
    if (revision === undefined) {
      revision = readHead(bytes)?.revision;
      if (revision === undefined) return undefined;
    } else {
      const entry = readEntry(bytes);
      // The end line may already be present.
      if (entry === undefined) break;
      digest.add(entry.key, entry.value);
      after = entry.key;
    }
    length = end;
  }
  if (revision === undefined) return undefined;
  await truncate(partial, length);
  return { revision, after };
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

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot fsync a directory.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync();
  await directory.close();
}
