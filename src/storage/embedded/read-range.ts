import type { RangeOptions, RangeResult, StoredEntry } from '../storage.ts';
import { entryOf } from './entry-of.ts';
import { type KeptSlabs, numbersPerLocation } from './kept-slabs.ts';
import { unpackVersions } from './packed-versions.ts';
import type { CountReply, CountRequest, RangeReply, RangeRequest } from './protocol.ts';
import type { RequestChannel } from './request-channel.ts';

/** Reads a range chunk by chunk, with all chunks at the revision of the first. */
export async function readRange(
  connection: RequestChannel,
  options: RangeOptions,
  kept?: KeptSlabs,
): Promise<RangeResult> {
  const { end, limit = Number.POSITIVE_INFINITY } = options;
  const keep = kept && options.keep;
  const entries: StoredEntry[] = [];
  let revision = options.revision;
  let start: string | undefined = options.start;
  // Reads one entry more than requested, to find out whether there are more.
  while (start !== undefined && entries.length <= limit) {
    const wanted = limit + 1 - entries.length;
    const chunk: Chunk = await readChunk(connection, { start, end, limit: wanted, revision, keep }, kept);
    entries.push(...chunk.entries);
    revision = chunk.revision;
    start = chunk.next;
  }
  const beyond = entries.length > limit ? entries.pop() : undefined;
  const result = { revision: revision ?? 0, entries, more: beyond !== undefined };
  if (!options.count) return result;
  const rest = beyond ? await countKeys(connection, { start: beyond.key, end, revision: result.revision }) : 0;
  return { ...result, count: entries.length + rest };
}

interface Chunk extends Pick<RangeReply, 'revision' | 'next'> {
  readonly entries: readonly StoredEntry[];
}

function readChunk(connection: RequestChannel, request: RangeRequest, kept: KeptSlabs | undefined): Promise<Chunk> {
  return new Promise((resolve, reject) => {
    // Runs in the call that delivers the reply, because the next message may drop a slab.
    const onReply = ({ revision, next, ...chunk }: RangeReply): void =>
      resolve({ revision, next, entries: entriesOf(chunk, kept) });
    connection.post('range', request, { onReply, onError: reject });
  });
}

type Versions = Pick<RangeReply, 'keys' | 'versions' | 'kept'>;

function entriesOf({ keys, versions, kept: locations }: Versions, kept: KeptSlabs | undefined): StoredEntry[] {
  return unpackVersions(versions).flatMap((version, index) => {
    const key = keys[index];
    if (key === undefined || version === undefined) return [];
    const entry = entryOf(key, version);
    const [slab = 0, offset = 0, length = 0] =
      locations?.subarray(index * numbersPerLocation, (index + 1) * numbersPerLocation) ?? [];
    return slab === 0 ? [entry] : [{ ...entry, value: kept!.value(slab, offset, length), isKept: true }];
  });
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
