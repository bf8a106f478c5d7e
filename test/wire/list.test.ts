import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const names = (body: { items: { metadata: { name: string } }[] }) => body.items.map(({ metadata }) => metadata.name);

describe('a list', () => {
  it('has items in the order of their names, without kind and apiVersion', async () => {
    const path = await api.configMaps('ordered', { b: {}, a: {}, c: {} });
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
    await api.configMaps('all-1', { x: { all: 'y' } });
    await api.configMaps('all-2', { x: { all: 'y' } });
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
    const path = await api.configMaps('selected', { a: { tier: 'web' }, b: { tier: 'web' }, c: { tier: 'db' }, d: {} });
    expect(names((await api.get(`${path}?${query}`)).body)).toEqual(expected);
  });

  it.each([
    ['labelSelector=a%20b', 400, "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [
      'fieldSelector=data.x=1',
      400,
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ])('refuses %s', async (query, code, message) => {
    const { status, body } = await api.get(`/api/v1/configmaps?${query}`);
    expect(status).toBe(code);
    expect(body).toMatchObject({ kind: 'Status', code });
    expect(body.message).toContain(message);
  });

  it('streams lists that are larger than any buffer', async () => {
    const path = await api.configMaps('large', {});
    const data = { text: 'x'.repeat(100_000) };
    for (let index = 0; index < 30; index++) await api.post(path, { metadata: { name: `big-${index}` }, data });
    const { body, text } = await api.get(path);
    expect(text.length).toBeGreaterThan(3_000_000);
    expect(body.items).toHaveLength(30);
  });
});
