import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from './api.ts';
import { add, clear, configMap, log, names, place, root, startFaultServer } from './fault-rules.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startFaultServer();
});
afterAll(() => api.stop());
afterEach(() => clear(api));

describe('a watch', () => {
  async function watched() {
    const { path, namespace } = await place(api);
    const { resourceVersion } = (await api.get(path)).body.metadata;
    const open = () => api.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
    return { path, match: { namespace, verb: 'watch' }, open };
  }

  it('gets its events late but in order', async () => {
    const { path, match, open } = await watched();
    const watch = await open();
    const { id } = await add(api, { match, action: { type: 'holdEvents' } });
    await api.post(path, configMap('b'));
    await api.put(`${path}/b`, configMap('b', { x: '1' }));
    const other = await open();
    await api.delete(`${root}/${id}`);
    await add(api, { match, action: { type: 'delayEvents', ms: 5 } });
    await api.delete(`${path}/b`);
    const all = ['ADDED b', 'MODIFIED b', 'DELETED b'];
    expect(await names(watch, 3)).toEqual(all);
    expect(await names(other, 3)).toEqual(all);
    watch.close();
    other.close();
  });

  it('is held back from some event on, and not beyond it by bookmarks', async () => {
    const { path, match } = await watched();
    await api.post(path, configMap('b'));
    await add(api, { match, action: { type: 'holdEvents', afterEvents: 1 } });
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await api.watch(`${path}?${query}`);
    expect(await names(watch, 1)).toEqual(['ADDED a']);
    await api.post(path, configMap('c'));
    await api.delete(root);
    expect(await names(watch, 3)).toEqual(['ADDED b', 'BOOKMARK undefined', 'ADDED c']);
    watch.close();
  });

  it('ends when told to, twice in a row', async () => {
    const { path, match, open } = await watched();
    const watch = await open();
    await add(api, { match, first: 2, action: { type: 'endWatch' } });
    await watch.ended;
    expect(watch.endedCleanly).toBe(true);
    const second = await open();
    expect(await second.next()).toBeUndefined();
    const third = await open();
    await api.post(path, configMap('b'));
    expect(await names(third, 1)).toEqual(['ADDED b']);
    third.close();
    expect((await log(api)).map(({ action, match: nth }) => [action, nth])).toEqual([
      ['endWatch', 1],
      ['endWatch', 2],
    ]);
  });

  it('ends with an error behind some events', async () => {
    const { path, match } = await watched();
    await api.post(path, configMap('b'));
    await add(api, { match, action: { type: 'endWatch', afterEvents: 1, status: { code: 410 } } });
    const watch = await api.watch(`${path}?watch=true`);
    expect(await names(watch, 2)).toEqual(['ADDED a', 'ERROR Expired']);
    expect(await watch.next()).toBeUndefined();
  });

  it('is cut like a slow one', async () => {
    const { path, match, open } = await watched();
    const watch = await open();
    await add(api, { match, action: { type: 'cutWatch', afterEvents: 1 } });
    await api.post(path, configMap('b'));
    await watch.ended;
    expect(watch.endedCleanly).toBe(false);
  });

  it('does not count for faults of events if it is no watch', async () => {
    const { path, match } = await watched();
    const { id } = await add(api, { match: { namespace: match.namespace }, action: { type: 'endWatch' } });
    await api.get(path);
    expect((await api.get(`${root}/${id}`)).body.matched).toBe(0);
  });
});

describe('history', () => {
  it('is gone after a compaction', async () => {
    const { path } = await place(api);
    const { resourceVersion } = (await api.get(path)).body.metadata;
    await api.post(path, configMap('b'));
    const { status, body } = await api.post(`${root}/compact`, {});
    expect([status, Number(body.resourceVersion) > Number(resourceVersion)]).toEqual([200, true]);
    expect((await api.get(`${path}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`)).status).toBe(410);
    const watch = await api.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
    expect(watch.status).toBe(410);
  });

  it('is gone when a request comes', async () => {
    const { path, namespace } = await place(api);
    const { resourceVersion } = (await api.get(path)).body.metadata;
    await api.post(path, configMap('b'));
    await add(api, { match: { namespace, verb: 'watch' }, nth: 2, action: { type: 'compact' } });
    const first = await api.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
    expect(await names(first, 1)).toEqual(['ADDED b']);
    first.close();
    const second = await api.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
    expect(second.status).toBe(410);
  });

  it('is gone for continue tokens', async () => {
    const { path, namespace } = await place(api);
    await api.post(path, configMap('b'));
    const first = await api.get(`${path}?limit=1`);
    const next = `${path}?limit=1&continue=${first.body.metadata.continue}`;
    await add(api, { match: { namespace, verb: 'list' }, action: { type: 'expireContinue' } });
    expect((await api.get(path)).body.items).toHaveLength(2);
    const { status, body } = await api.get(next);
    expect([status, body.reason]).toEqual([410, 'Expired']);
    await api.delete(root);
    const rest = await api.get(`${path}?limit=1&continue=${body.metadata.continue}`);
    expect(rest.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['b']);
  });
});

describe('a stale read', () => {
  async function changed() {
    const { path, namespace } = await place(api);
    const before = await api.get(`${path}/a`);
    await add(api, { id: 'stale', match: { namespace }, action: { type: 'staleRead' } });
    const changedVersion = (await api.put(`${path}/a`, configMap('a', { x: '1' }))).body.metadata.resourceVersion;
    await api.post(path, configMap('b'));
    return { path, before, changedVersion };
  }
  const data = (response: { body: { data?: object } }) => response.body.data;

  it('is answered from the state at the start of the rule', async () => {
    const { path, before } = await changed();
    expect(await api.get(`${path}/a?resourceVersion=0`)).toMatchObject({ status: 200, text: before.text });
    expect((await api.get(`${path}/b?resourceVersion=0`)).body).toMatchObject({ code: 404, details: { name: 'b' } });
    const list = await api.get(`${path}?resourceVersion=0`);
    expect(list.body.items).toHaveLength(1);
    expect(Number(list.body.metadata.resourceVersion)).toBeLessThan(
      Number((await api.get(path)).body.metadata.resourceVersion),
    );
    const version = before.body.metadata.resourceVersion;
    const notOlder = `${path}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`;
    expect((await api.get(notOlder)).body.items).toHaveLength(1);
  });

  it('is never older than the client allows', async () => {
    const { path, changedVersion } = await changed();
    expect(data(await api.get(`${path}/a`))).toEqual({ x: '1' });
    expect((await api.get(path)).body.items).toHaveLength(2);
    expect((await api.get(`${path}?limit=5`)).body.items).toHaveLength(2);
    expect(data(await api.get(`${path}/a?resourceVersion=${changedVersion}`))).toEqual({ x: '1' });
    const list = (await api.get(`${path}?resourceVersion=${changedVersion}`)).body;
    expect([list.metadata.resourceVersion, list.items.length]).toEqual([changedVersion, 1]);
    expect((await api.get(`${path}/a?resourceVersion=x`)).status).toBe(400);
    await api.post(`${root}/compact`, {});
    expect(data(await api.get(`${path}/a?resourceVersion=0`))).toEqual({ x: '1' });
  });
});

describe('a stale read', () => {
  it('begins a watch with an older state, and tells what came after it', async () => {
    const { path, namespace } = await place(api);
    const { resourceVersion } = (await api.get(path)).body.metadata;
    await add(api, { match: { namespace, verb: 'watch' }, action: { type: 'staleRead' } });
    await api.put(`${path}/a`, configMap('a', { x: '1' }));
    await api.post(path, configMap('b'));
    const streaming = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const bookmark = `BOOKMARK ${resourceVersion}`;
    for (const [query, expected] of [
      ['resourceVersion=0', ['ADDED a', 'MODIFIED a', 'ADDED b']],
      [`resourceVersion=0&${streaming}`, ['ADDED a', bookmark, 'MODIFIED a', 'ADDED b']],
      [`resourceVersion=${resourceVersion}&${streaming}`, ['ADDED a', bookmark, 'MODIFIED a', 'ADDED b']],
      ['resourceVersion=0&fieldSelector=metadata.name%3Db', ['ADDED b']],
      // Here the client requests the latest state.
      ['', ['ADDED a', 'ADDED b']],
      [`resourceVersion=${resourceVersion}`, ['MODIFIED a', 'ADDED b']],
    ] as const) {
      const watch = await api.watch(`${path}?watch=true&${query}`);
      const seen: string[] = [];
      while (seen.length < expected.length) {
        const { type, object } = (await watch.next())!;
        seen.push(`${type} ${type === 'BOOKMARK' ? object.metadata.resourceVersion : object.metadata.name}`);
      }
      expect([query, seen]).toEqual([query, expected]);
      await api.post(path, configMap('later'));
      if (!query.includes('fieldSelector')) expect(await names(watch, 1)).toEqual(['ADDED later']);
      watch.close();
      await api.delete(`${path}/later`);
    }
  });

  it('is one of the same state for a subresource', async () => {
    const { namespace } = await place(api);
    const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const labels = { app: 'd' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    await api.post(deployments, { metadata: { name: 'd' }, spec });
    const match = { namespace, resource: 'deployments', subresource: '*' };
    await add(api, { match, action: { type: 'staleRead' } });
    await api.patch(`${deployments}/d/scale`, { spec: { replicas: 5 } });
    for (const subresource of ['scale', 'status']) {
      const replicas = async (query: string) =>
        (await api.get(`${deployments}/d/${subresource}${query}`)).body.spec.replicas;
      expect([subresource, await replicas('?resourceVersion=0'), await replicas('')]).toEqual([subresource, 1, 5]);
    }
    await api.post(deployments, { metadata: { name: 'e' }, spec });
    expect((await api.get(`${deployments}/e/scale?resourceVersion=0`)).status).toBe(404);
  });
});
