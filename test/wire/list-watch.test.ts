import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

async function namespaceWith(name: string, configMaps: Record<string, Record<string, string>>): Promise<string> {
  await api.post('/api/v1/namespaces', { metadata: { name } });
  const path = `/api/v1/namespaces/${name}/configmaps`;
  for (const [item, labels] of Object.entries(configMaps)) await api.post(path, { metadata: { name: item, labels } });
  return path;
}

const names = (body: { items: { metadata: { name: string } }[] }) => body.items.map(({ metadata }) => metadata.name);

describe('list', () => {
  it('has items in the order of their names, without kind and apiVersion', async () => {
    const path = await namespaceWith('ordered', { b: {}, a: {}, c: {} });
    const { body } = await api.get(path);
    expect(body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { continue: '' } });
    expect(names(body)).toEqual(['a', 'b', 'c']);
    expect(body.items[0]).not.toHaveProperty('kind');
    expect(body.items[0]).not.toHaveProperty('apiVersion');
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(
      Number(body.items[2].metadata.resourceVersion),
    );
  });

  it('goes over all namespaces or one', async () => {
    await namespaceWith('all-1', { x: { all: 'y' } });
    await namespaceWith('all-2', { x: { all: 'y' } });
    const { body } = await api.get('/api/v1/configmaps?labelSelector=all');
    expect(body.items.map((item: { metadata: { namespace: string } }) => item.metadata.namespace)).toEqual([
      'all-1',
      'all-2',
    ]);
    expect((await api.get('/api/v1/namespaces/nowhere/configmaps')).body.items).toEqual([]);
  });

  it.each([
    ['labelSelector=tier=web', ['a', 'b']],
    ['labelSelector=tier!=web', ['c', 'd']],
    ['labelSelector=tier%20in%20(db,cache)', ['c']],
    ['labelSelector=!tier', ['d']],
    ['labelSelector=tier,tier%20notin%20(db)', ['a', 'b']],
    ['fieldSelector=metadata.name=b', ['b']],
    ['fieldSelector=metadata.name!=b&labelSelector=tier', ['a', 'c']],
  ])('selects by %s', async (query, expected) => {
    const path = await namespaceWith('selected', { a: { tier: 'web' }, b: { tier: 'web' }, c: { tier: 'db' }, d: {} });
    expect(names((await api.get(`${path}?${query}`)).body)).toEqual(expected);
  });

  it('comes in chunks that show one state', async () => {
    const path = await namespaceWith('chunked', { a: {}, b: {}, c: {}, d: {}, e: {} });
    const first = (await api.get(`${path}?limit=2`)).body;
    expect(names(first)).toEqual(['a', 'b']);
    expect(first.metadata.remainingItemCount).toBe(3);
    await api.delete(`${path}/d`);
    await api.post(path, { metadata: { name: 'cc' } });
    const second = (await api.get(`${path}?limit=2&continue=${first.metadata.continue}`)).body;
    expect(names(second)).toEqual(['c', 'd']);
    const third = (await api.get(`${path}?limit=2&continue=${second.metadata.continue}`)).body;
    expect(names(third)).toEqual(['e']);
    expect(third.metadata.continue).toBe('');
    expect(new Set([first, second, third].map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
  });

  it('shows a past state when asked for exactly that', async () => {
    const path = await namespaceWith('past', { a: {} });
    const before = (await api.get(path)).body.metadata.resourceVersion;
    await api.post(path, { metadata: { name: 'b' } });
    const { body } = await api.get(`${path}?resourceVersion=${before}&resourceVersionMatch=Exact`);
    expect(names(body)).toEqual(['a']);
    expect(body.metadata.resourceVersion).toBe(before);
  });

  it.each([
    ['limit=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['continue=nonsense', 400, 'invalid continue token: continue key is not valid: '],
    ['resourceVersionMatch=Exact', 400, 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
    ['labelSelector=a%20b', 400, "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [
      'fieldSelector=data.x=1',
      400,
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['resourceVersion=999999999', 504, 'Timeout: Too large resource version: 999999999, current: '],
  ])('refuses %s', async (query, code, message) => {
    const { status, body } = await api.get(`/api/v1/configmaps?${query}`);
    expect(status).toBe(code);
    expect(body).toMatchObject({ kind: 'Status', code });
    expect(body.message).toContain(message);
  });

  it('streams lists that are larger than any buffer', async () => {
    const path = await namespaceWith('large', {});
    const data = { text: 'x'.repeat(100_000) };
    for (let index = 0; index < 30; index++) await api.post(path, { metadata: { name: `big-${index}` }, data });
    const { body, text } = await api.get(path);
    expect(text.length).toBeGreaterThan(3_000_000);
    expect(body.items).toHaveLength(30);
  });
});

describe('watch', () => {
  it('begins with the present state and goes on with changes', async () => {
    const path = await namespaceWith('followed', { a: {} });
    const watch = await api.watch(`${path}?watch=true`);
    expect(await watch.take(1)).toEqual(['ADDED a']);
    await api.post(path, { metadata: { name: 'b' } });
    await api.patch(`${path}/b`, { data: { x: '1' } });
    const { body } = await api.get(`${path}/b`);
    await api.delete(`${path}/b`);
    expect(await watch.take(2)).toEqual(['ADDED b', 'MODIFIED b']);
    const deleted = (await watch.next())!;
    expect(deleted.type).toBe('DELETED');
    expect(deleted.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { x: '1' } });
    expect(Number(deleted.object.metadata.resourceVersion)).toBeGreaterThan(Number(body.metadata.resourceVersion));
    watch.close();
  });

  it('begins after a version and misses nothing', async () => {
    const path = await namespaceWith('resumed', { a: {} });
    const { resourceVersion } = (await api.get(path)).body.metadata;
    await api.post(path, { metadata: { name: 'b' } });
    await api.delete(`${path}/a`);
    const watch = await api.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`);
    expect(await watch.take(2)).toEqual(['ADDED b', 'DELETED a']);
    watch.close();
  });

  it('shows objects that begin or cease to match as added or deleted', async () => {
    const path = await namespaceWith('matching', { a: { on: 'no' } });
    const watch = await api.watch(`${path}?watch=1&labelSelector=on%3Dyes`);
    await api.patch(`${path}/a`, { metadata: { labels: { on: 'yes' } } });
    await api.patch(`${path}/a`, { data: { x: '1' } });
    await api.patch(`${path}/a`, { metadata: { labels: { on: 'no' } } });
    expect(await watch.take(3)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    watch.close();
  });

  it('marks the end of the initial state', async () => {
    const path = await namespaceWith('marked', { a: {} });
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await api.watch(`${path}?${query}`);
    expect(await watch.take(1)).toEqual(['ADDED a']);
    const { type, object } = (await watch.next())!;
    expect(type).toBe('BOOKMARK');
    expect(object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { resourceVersion: expect.any(String), annotations: { 'k8s.io/initial-events-end': 'true' } },
    });
    watch.close();
  });

  it('ends after the time that the client gave it', async () => {
    const path = await namespaceWith('timed', {});
    const watch = await api.watch(`${path}?watch=1&timeoutSeconds=1`);
    expect(watch.status).toBe(200);
    await watch.ended;
    expect(await watch.next()).toBeUndefined();
  });

  it('says nothing of writes that change nothing', async () => {
    const path = await namespaceWith('quiet', { a: {} });
    const watch = await api.watch(`${path}?watch=1`);
    await api.patch(`${path}/a`, {});
    await api.patch(`${path}/a?dryRun=All`, { data: { x: '1' } });
    await api.post(path, { metadata: { name: 'last' } });
    expect(await watch.take(2)).toEqual(['ADDED a', 'ADDED last']);
    watch.close();
  });
});
