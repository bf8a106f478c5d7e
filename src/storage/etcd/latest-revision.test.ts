import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LatestRevision } from './latest-revision.ts';

function withReads() {
  const reads: PromiseWithResolvers<number>[] = [];
  const latest = new LatestRevision(0, () => {
    const read = Promise.withResolvers<number>();
    reads.push(read);
    return read.promise;
  });
  return { latest, reads };
}

test('callers of one turn share a read', async () => {
  const { latest, reads } = withReads();
  const callers = [latest.get(), latest.get()];
  expect(reads).toHaveLength(0);
  await nextTurn();
  expect(reads).toHaveLength(1);
  reads[0]!.resolve(3);
  expect(await Promise.all(callers)).toEqual([3, 3]);
  expect(latest.last).toBe(3);
});

test('callers that come while a read is in flight share the next one', async () => {
  const { latest, reads } = withReads();
  const first = latest.get();
  await nextTurn();
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

test('a read that fails does not stop later ones', async () => {
  const { latest, reads } = withReads();
  const failing = latest.get();
  await nextTurn();
  reads[0]!.reject(new Error('no leader'));
  await expect(failing).rejects.toThrow('no leader');
  const later = latest.get();
  await nextTurn();
  reads[1]!.resolve(9);
  expect(await later).toBe(9);
});
