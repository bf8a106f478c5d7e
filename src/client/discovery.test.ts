import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../server/index.ts';
import { Client } from './client.ts';
import { Discovery } from './discovery.ts';
import type { Fetch } from './fetch.ts';

it('lists every type once, with verbs, scope and subresources', async () => {
  const server = await startServer({ storage: 'memory' });
  onTestFinished(() => server.stop());
  const discovery = new Discovery(server.client);
  const { resources, failed } = await discovery.read();
  expect(failed).toEqual([]);
  expect(resources).toContainEqual({
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    kind: 'Deployment',
    namespaced: true,
    verbs: expect.arrayContaining(['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']),
    subresources: ['scale', 'status'],
  });
  const names = resources.map(({ group, resource }) => `${resource}.${group}`);
  expect(new Set(names).size).toBe(names.length);
  expect(resources.find(({ resource }) => resource === 'horizontalpodautoscalers')).toMatchObject({ version: 'v2' });
  expect(resources.find(({ resource }) => resource === 'nodes')).toMatchObject({ namespaced: false, group: '' });
  expect(await discovery.read()).toEqual({ resources, failed });
});

it('reuses an unchanged document and reports failed group versions', async () => {
  const tags: (string | undefined)[] = [];
  const list = {
    items: [{ metadata: { name: 'example.com' }, versions: [{ version: 'v1', freshness: 'Stale' }] }],
  };
  const fetch: Fetch = async ({ headers }) => {
    const tag = headers?.['if-none-match'];
    tags.push(tag);
    const body = (async function* () {
      if (tag === undefined) yield Buffer.from(JSON.stringify(list));
    })();
    return { status: tag === undefined ? 200 : 304, headers: { etag: '"1"' }, body };
  };
  const discovery = new Discovery(new Client(fetch));
  const first = await discovery.read();
  expect(first).toEqual({ resources: [], failed: ['example.com/v1', 'example.com/v1'] });
  expect(await discovery.read()).toEqual(first);
  expect(tags).toEqual([undefined, undefined, '"1"', '"1"']);
});
