import { fillMemoryStorage, MemoryStorage, type Storage, type StoredEntry } from '../storage/index.ts';

const pageSize = 2000;
/** A key after all others. */
const end = '\u{10ffff}';

/**
 * Copies all entries with their revisions into memory. The copy of a storage in memory shares the entries and includes
 * the history. For other storages every entry is read.
 */
export async function copyStore(store: Storage): Promise<MemoryStorage> {
  if (store instanceof MemoryStorage) return store.fork();
  const revision = await store.latestRevision();
  const filling = fillMemoryStorage({ revision });
  for await (const entries of pages(store, revision)) await filling.add(entries);
  return (await filling.finish()) as MemoryStorage;
}

/** Returns all current entries by key. */
export async function readAll(store: Storage): Promise<Map<string, StoredEntry>> {
  const all = new Map<string, StoredEntry>();
  for await (const entries of pages(store, await store.latestRevision())) {
    for (const entry of entries) all.set(entry.key, entry);
  }
  return all;
}

async function* pages(store: Storage, revision: number): AsyncGenerator<readonly StoredEntry[]> {
  for (let start = '', more = true; more; ) {
    const page = await store.range({ start, end, limit: pageSize, revision });
    yield page.entries;
    more = page.more;
    start = `${page.entries.at(-1)?.key ?? ''}\0`;
  }
}
