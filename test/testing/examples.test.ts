import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock, useTestServer } from '../../src/testing/index.ts';
import { ChildMaker, countBlindly, countCarefully, counters, follow } from './faulty-controllers.ts';

const clock = new ManualClock();
const kit = useTestServer({ beforeAll, beforeEach, afterEach, afterAll }, { clock });

const create = (name: string) => counters(kit.server.client).create({ metadata: { name } });
function started(mistake?: Parameters<typeof follow>[2]) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return follow(kit.server.client, stop.signal, mistake);
}

describe('lost update', () => {
  test.each([
    [countCarefully, '3'],
    [countBlindly, '1'],
  ])('%o counts to %s', async (count, expected) => {
    const { client } = kit.server;
    await create('counter');
    await Promise.all([count(client, 'counter'), count(client, 'counter'), count(client, 'counter')]);
    expect((await counters(client).get('counter')).data?.count).toBe(expected);
  });
});

test('missed 410', async () => {
  const [right, wrong] = [started(), started('ignores 410')];
  await Promise.all([right.begun, wrong.begun]);
  const before = await kit.server.snapshot();
  await create('undone');
  await kit.server.restore(before, { watches: 'expire' });
  await create('later');
  await expect.poll(() => right.seen).toContain('later');
  await kit.server.untilQuiet();
  expect(wrong.seen).not.toContain('later');
});

test('no resync after the end of a watch', async () => {
  const [right, wrong] = [started(), started('never watches again')];
  await Promise.all([right.begun, wrong.begun]);
  await kit.server.untilQuiet();
  // Watches end after five minutes. The fake clock skips them.
  await clock.advance(5 * 60_000 + 1000);
  await create('later');
  await expect.poll(() => right.seen).toContain('later');
  await kit.server.untilQuiet();
  expect(wrong.seen).not.toContain('later');
});

test('no list before the watch', async () => {
  await create('earlier');
  const [right, wrong] = [started(), started('does not list first')];
  await Promise.all([right.begun, wrong.begun]);
  await create('later');
  await expect.poll(() => wrong.seen).toContain('later');
  expect(right.seen).toContain('earlier');
  expect(wrong.seen).not.toContain('earlier');
});

describe('stale read', () => {
  test.each([
    [true, 1],
    [false, 2],
  ])('a controller that reads live: %s makes %i children', async (isLive, children) => {
    const { seen, begun } = started();
    await begun;
    const maker = new ChildMaker(kit.server.client, seen, { isLive });
    await Promise.all([maker.reconcile('parent'), maker.reconcile('parent')]);
    const { items } = await counters(kit.server.client).list();
    expect(items.filter(({ metadata }) => metadata.name?.startsWith('parent-'))).toHaveLength(children);
  });
});
