import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { listObjects } from './list-objects.ts';
import { StoredObject } from './stored-object.ts';
import { OrderedObjects } from './watch-cache/ordered-objects.ts';

const value = Buffer.from('{"metadata":{"uid":"u"}}');
const key = (number: number) => `/k/${String(number).padStart(4, '0')}`;
const all = Array.from({ length: 500 }, (_, revision) =>
  StoredObject.fromValue({ key: key(revision), value, revision }),
);
const objects = OrderedObjects.of(all, new RecentBytes(1_000_000));

/** All pages of a list, as the numbers of their objects. */
async function pages(limit: number, isWanted?: (number: number) => boolean): Promise<number[][]> {
  const found: number[][] = [];
  let startAfter: string | undefined;
  do {
    const page = await listObjects(objects, {
      prefix: '/k/',
      limit,
      ...(isWanted && { matches: ({ revision }) => isWanted(revision) }),
      ...(startAfter !== undefined && { startAfter }),
    });
    found.push(page.runs.flatMap((run) => run.objects.map(({ revision }) => revision)));
    startAfter = page.continueAfter;
  } while (startAfter !== undefined);
  return found;
}

it('returns full pages for any selector', async () => {
  const wanted = fc.oneof(
    fc.constant(undefined),
    fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 9 })),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 600 }), wanted, async (limit, range) => {
      const isWanted =
        range && ((number: number) => number < range[0] || (number > range[1] && number % range[2] === 0));
      const found = await pages(limit, isWanted);
      expect(found.flat()).toEqual(all.map(({ revision }) => revision).filter(isWanted ?? (() => true)));
      for (const page of found.slice(0, -1)) expect(page).toHaveLength(limit);
    }),
    { numRuns: 60 },
  );
});

it('keeps segments whole when all their objects match', async () => {
  const runs = async (matches?: (object: StoredObject) => boolean) =>
    (await listObjects(objects, { prefix: '/k/', limit: 0, ...(matches && { matches }) })).runs;
  const [whole, selected] = [await runs(), await runs(({ revision }) => revision !== 7)];
  expect(selected!.slice(1)).toEqual(whole!.slice(1));
  for (const [index, run] of selected!.entries()) if (index > 0) expect(run).toBe(whole![index]);
});
