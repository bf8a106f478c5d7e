import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../../src/testing/index.ts';
import { type Event, TestApi, type TestWatch } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
const marked = { 'k8s.io/initial-events-end': 'true' };

async function opened(path: string): Promise<TestWatch> {
  const watch = await api.watch(path);
  onTestFinished(() => watch.close());
  expect(watch.status).toBe(200);
  return watch;
}

async function all(watch: TestWatch): Promise<Event[]> {
  const events: Event[] = [];
  for (let event = await watch.next(); event !== undefined; event = await watch.next()) events.push(event);
  return events;
}

async function versionOf(path: string, server = api): Promise<string> {
  return (await server.get(path)).body.metadata.resourceVersion;
}

describe('the bookmark after the initial state', () => {
  it.each([
    ['', true],
    ['resourceVersion=0', true],
    [initial, true],
    [`${initial}&resourceVersion=0`, true],
    [`${initial}&resourceVersion=1`, true],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan', false],
    ['resourceVersion=N', false],
  ])('is sent for allowWatchBookmarks and %s: %s', async (query, expected) => {
    const path = await api.configMaps('marks', { a: {} });
    const version = await versionOf(path);
    const watch = await opened(`${path}?watch=1&allowWatchBookmarks=true&${query.replace(/=N$/, `=${version}`)}`);
    const { resourceVersion } = (await api.patch(`${path}/a`, { data: { k: query } })).body.metadata;
    const events: Event[] = [];
    do events.push((await watch.next())!);
    while (events.at(-1)!.object.metadata.resourceVersion !== resourceVersion);
    const bookmarks = events.filter(({ type }) => type === 'BOOKMARK').map(({ object }) => object);
    expect(events.map(({ type }) => type)).toEqual(expected ? ['ADDED', 'BOOKMARK', 'MODIFIED'] : ['MODIFIED']);
    if (!expected) return;
    expect(bookmarks).toEqual([
      {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: expect.stringMatching(/^\d+$/), annotations: marked },
      },
    ]);
    expect(Number(bookmarks[0].metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(version));
    expect(Number(bookmarks[0].metadata.resourceVersion)).toBeLessThan(Number(resourceVersion));
  });

  it('is not sent to those who did not ask for bookmarks', async () => {
    const path = await api.configMaps('unmarked', { a: {} });
    const watch = await opened(`${path}?watch=1&${initial}`);
    await api.patch(`${path}/a`, { data: { k: '1' } });
    expect(await watch.take(2)).toEqual(['ADDED a', 'MODIFIED a']);
  });

  it('comes alone when nothing matches, also in a namespace that does not exist', async () => {
    const path = await api.configMaps('nothing', { a: {} });
    for (const query of [`${path}?labelSelector=none`, '/api/v1/namespaces/absent/configmaps?labelSelector=']) {
      const watch = await opened(`${query}&watch=1&allowWatchBookmarks=true&${initial}`);
      expect(await watch.next()).toMatchObject({ type: 'BOOKMARK', object: { metadata: { annotations: marked } } });
    }
  });

  it.each([
    ['/api/v1/pods', 'Pod', 'v1'],
    ['/api/v1/nodes', 'Node', 'v1'],
    ['/api/v1/events', 'Event', 'v1'],
    ['/apis/events.k8s.io/v1/events', 'Event', 'events.k8s.io/v1'],
    ['/apis/apps/v1/deployments', 'Deployment', 'apps/v1'],
    ['/apis/autoscaling/v1/horizontalpodautoscalers', 'HorizontalPodAutoscaler', 'autoscaling/v1'],
    ['/apis/rbac.authorization.k8s.io/v1/roles', 'Role', 'rbac.authorization.k8s.io/v1'],
  ])('has, for %s, nothing but kind, apiVersion and metadata', async (path, kind, apiVersion) => {
    const watch = await opened(
      `${path}?watch=1&allowWatchBookmarks=true&${initial}&fieldSelector=metadata.name%3Dnone`,
    );
    const metadata = { resourceVersion: expect.stringMatching(/^\d+$/), annotations: marked };
    expect(await watch.next()).toEqual({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } });
  });

  it('has a version from which a watch can go on', async () => {
    const path = await api.configMaps('resumed', { a: {} });
    const watch = await opened(`${path}?watch=1&allowWatchBookmarks=true&${initial}`);
    expect(await watch.take(1)).toEqual(['ADDED a']);
    const { resourceVersion } = (await watch.next())!.object.metadata;
    await api.post(path, { metadata: { name: 'b' } });
    const resumed = await opened(`${path}?watch=1&resourceVersion=${resourceVersion}`);
    expect(await resumed.take(1)).toEqual(['ADDED b']);
  });
});

describe('the bookmark before the end', () => {
  const clock = new ManualClock();
  let timed: TestApi;
  beforeAll(async () => {
    timed = await TestApi.start({ clock, threads: 1 });
    return () => timed.stop();
  });

  async function untilItsEnd(watch: TestWatch): Promise<Event[]> {
    let isOver = false;
    void watch.ended.then(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(1_000);
    return all(watch);
  }

  it('comes two seconds before it, without the mark, and a watch can go on from it', async () => {
    const path = await timed.configMaps('ending', { a: {} });
    const watch = await timed.watch(`${path}?watch=1&allowWatchBookmarks=true&timeoutSeconds=4`);
    expect(await watch.take(2)).toEqual(['ADDED a', 'BOOKMARK']);
    await clock.advance(1_999);
    const { resourceVersion: last } = (await timed.patch(`${path}/a`, { data: { k: '1' } })).body.metadata;
    expect(await watch.take(1)).toEqual(['MODIFIED a']);
    await clock.advance(1);
    const { type, object } = (await watch.next())!;
    expect(type).toBe('BOOKMARK');
    expect(object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
    });
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(last));
    await clock.advance(2_000);
    expect(await all(watch)).toEqual([]);
    expect(watch.endedCleanly).toBe(true);
    await timed.post(path, { metadata: { name: 'b' } });
    const resumed = await timed.watch(`${path}?watch=1&resourceVersion=${object.metadata.resourceVersion}`);
    expect(await resumed.take(1)).toEqual(['ADDED b']);
    resumed.close();
  });

  it('advances a watch without events while other objects are written', async () => {
    const path = await timed.configMaps('still');
    const other = await timed.configMaps('still-2');
    const start = await versionOf(path, timed);
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion=${start}`;
    const [watch, others] = await Promise.all([timed.watch(`${path}?${query}`), timed.watch(`${other}?${query}`)]);
    const { resourceVersion } = (await timed.post(other, { metadata: { name: 'a' } })).body.metadata;
    expect(await others.take(1)).toEqual(['ADDED a']);
    const events = await untilItsEnd(watch);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['BOOKMARK']));
    const last = events.at(-1)!.object.metadata;
    expect(last).not.toHaveProperty('annotations');
    expect(Number(last.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
  });

  it('is not sent to those who did not ask for bookmarks', async () => {
    const path = await timed.configMaps('unasked', { a: {} });
    const watch = await timed.watch(`${path}?watch=1&timeoutSeconds=3`);
    expect((await untilItsEnd(watch)).map(({ type }) => type)).toEqual(['ADDED']);
  });
});
