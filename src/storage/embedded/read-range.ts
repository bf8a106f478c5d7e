import type { RangeOptions, RangeResult, StoredEntry } from '../storage.ts';
import { entryOf } from './entry-of.ts';
import { unpackVersions } from './packed-versions.ts';
import type { CountReply, CountRequest, RangeReply } from './protocol.ts';
import type { RequestChannel } from './request-channel.ts';

/** Reads a range chunk by chunk, with all chunks at the revision of the first. */
export async function readRange(connection: RequestChannel, options: RangeOptions): Promise<RangeResult> {
  const { end, limit = Number.POSITIVE_INFINITY } = options;
  const entries: StoredEntry[] = [];
  let revision = options.revision;
  let start: string | undefined = options.start;
  // Reads one entry more than requested, to learn whether there are more.
  while (start !== undefined && entries.length <= limit) {
    const wanted = limit + 1 - entries.length;
    const chunk: RangeReply = await connection.call('range', { start, end, limit: wanted, revision });
    unpackVersions(chunk.versions).forEach((version, index) => {
      const key = chunk.keys[index];
      if (key !== undefined && version) entries.push(entryOf(key, version));
    });
    revision = chunk.revision;
    start = chunk.next;
  }
  const beyond = entries.length > limit ? entries.pop() : undefined;
  const result = { revision: revision ?? 0, entries, more: beyond !== undefined };
  if (!options.count) return result;
  const rest = beyond ? await countKeys(connection, { start: beyond.key, end, revision: result.revision }) : 0;
  return { ...result, count: entries.length + rest };
}

/** Counts in chunks too, so that commits run in between. */
async function countKeys(connection: RequestChannel, { start, end, revision }: CountRequest): Promise<number> {
  let count = 0;
  for (let from: string | undefined = start; from !== undefined; ) {
    const chunk: CountReply = await connection.call('count', { start: from, end, revision });
    count += chunk.count;
    from = chunk.next;
  }
  return count;
}
