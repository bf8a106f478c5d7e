import { expect, test } from 'vitest';
import { LatestRevision } from './latest-revision.ts';

test('callers that come while a read is in flight share the next one', async () => {
  const reads: PromiseWithResolvers<number>[] = [];
  const latest = new LatestRevision(0, () => {
    const read = Promise.withResolvers<number>();
    reads.push(read);
    return read.promise;
  });
  const first = latest.get();
  const others = [latest.get(), latest.get()];
  expect(reads).toHaveLength(1);
  reads[0]!.resolve(5);
  expect(await first).toBe(5);
  expect(reads).toHaveLength(2);
  const later = latest.get();
  reads[1]!.reject(new Error('no leader'));
  for (const other of others) await expect(other).rejects.toThrow('no leader');
  reads[2]!.resolve(7);
  expect(await later).toBe(7);
  expect(latest.last).toBe(7);
});
