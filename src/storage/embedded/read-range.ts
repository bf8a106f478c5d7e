import type { RangeOptions, RangeResult, StoredEntry } from '../storage.ts';
import { unpackVersions } from './packed-versions.ts';
import type { RangeReply } from './protocol.ts';
import type { WorkerConnection } from './worker-connection.ts';

/** Reads a range chunk by chunk, all of it at the revision of the first chunk. */
export async function readRange(connection: WorkerConnection, options: RangeOptions): Promise<RangeResult> {
  const { end, limit = Number.POSITIVE_INFINITY } = options;
  const entries: StoredEntry[] = [];
  let revision = options.revision;
  let start: string | undefined = options.start;
  // One more than wanted tells whether there are others.
  while (start !== undefined && entries.length <= limit) {
    const wanted = limit + 1 - entries.length;
    const chunk: RangeReply = await connection.call('range', { start, end, limit: wanted, revision });
    unpackVersions(chunk.versions).forEach((version, index) => {
      const key = chunk.keys[index];
      if (key !== undefined && version) entries.push({ key, ...version });
    });
    revision = chunk.revision;
    start = chunk.next;
  }
  const more = entries.length > limit;
  if (more) entries.pop();
  return { revision: revision ?? 0, entries, more };
}
