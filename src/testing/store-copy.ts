import { fillMemoryStorage, MemoryStorage, type Storage } from '../storage/index.ts';

const pageSize = 2000;
/** After all keys. */
const end = '\u{10ffff}';

/**
 * A copy in memory of all that is stored now, with its revisions. That of a storage in memory shares the entries and has
 * the history, too. Of another one every entry is read.
 */
export async function copyStore(store: Storage): Promise<MemoryStorage> {
  if (store instanceof MemoryStorage) return store.fork();
  const revision = await store.latestRevision();
  const filling = fillMemoryStorage({ revision });
  let start = '';
  for (;;) {
    const { entries, more } = await store.range({ start, end, limit: pageSize, revision });
    await filling.add(entries);
    if (!more) return (await filling.finish()) as MemoryStorage;
    start = `${entries.at(-1)!.key}\0`;
  }
}
