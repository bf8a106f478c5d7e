import { identityOf, type ManagedEntry, secondsOf } from './managed-entry.ts';

const maxUpdaters = 10;
const ancientChanges = 'ancient-changes';

/**
 * Limits the number of update entries: the oldest are merged into one per version. Apply entries are kept, because
 * their managers apply again.
 */
export function capUpdaters(entries: ReadonlyMap<string, ManagedEntry>): ReadonlyMap<string, ManagedEntry> {
  const updaters = [...entries].filter(([, { operation }]) => operation === 'Update');
  let excess = updaters.length - maxUpdaters;
  if (excess <= 0) return entries;
  updaters.sort(
    ([leftId, left], [rightId, right]) => secondsOf(left) - secondsOf(right) || (leftId < rightId ? -1 : 1),
  );
  const result = new Map(entries);
  const firsts = new Map<string, string>();
  for (const [id, entry] of updaters) {
    if (excess === 0) break;
    const first = firsts.get(entry.apiVersion);
    if (first === undefined) {
      firsts.set(entry.apiVersion, id);
      continue;
    }
    const bucket: ManagedEntry = { ...entry, manager: ancientChanges, subresource: '' };
    const bucketId = identityOf(bucket);
    const older = result.get(bucketId) ?? result.get(first)!;
    if (!result.has(bucketId)) result.delete(first);
    result.delete(id);
    result.set(bucketId, { ...bucket, fields: entry.fields.union(older.fields) });
    excess--;
  }
  return result;
}
