import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApi } from './api.ts';

const listMessage = 'The resourceVersion for the provided list is too old.';
const continueMessage =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

const names = (body: { items: { metadata: { name: string } }[] }) => body.items.map(({ metadata }) => metadata.name);

describe.each(['memory', 'embedded'] as const)('%s: a version that is no longer kept', (storage) => {
  let api: TestApi;
  let path: string;
  /** The version of the state a, b, c. Since then a was deleted and b was changed. */
  let gone: string;
  /** A token that continues after a. */
  let token: string;

  beforeAll(async () => {
    api = await TestApi.start({ storage, compactionRetentionMs: 100 });
    path = await api.configMaps('expired', { a: {}, b: {}, c: {} });
    ({ resourceVersion: gone, continue: token } = (await api.get(`${path}?limit=1`)).body.metadata);
    await api.delete(`${path}/a`);
    await api.patch(`${path}/b`, { data: { k: 'new' } });
    const exact = `${path}?resourceVersion=${gone}&resourceVersionMatch=Exact`;
    await vi.waitUntil(async () => (await api.get(exact)).status === 410, { interval: 20 });
  });
  afterAll(() => api.stop());

  it.each([
    ['list: match=unset, limit=n', 'limit=1'],
    ['list: match=Exact, limit unset', 'resourceVersionMatch=Exact'],
    ['list: match=Exact, limit=n', 'resourceVersionMatch=Exact&limit=1'],
    ['list: match=Exact, one name', 'resourceVersionMatch=Exact&fieldSelector=metadata.name%3Dc'],
  ])('%s, resourceVersion=N -> 410', async (_, query) => {
    const { status, body } = await api.get(`${path}?${query}&resourceVersion=${gone}`);
    expect(status).toBe(410);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: listMessage,
      reason: 'Expired',
      code: 410,
    });
  });

  it('history begins later', async () => {
    const history = `/keelson/history${path}/b`;
    expect(await api.get(`${history}?revision=${gone}`)).toMatchObject({
      status: 410,
      body: { reason: 'Expired', message: `the history of revision ${gone} is no longer kept` },
    });
    const { resourceVersion } = (await api.get(`${path}/b`)).body.metadata;
    // Every compaction moves the beginning of the history, up to the last write.
    const body = await vi.waitFor(async () => {
      const { body: found } = await api.get(history);
      expect(found.oldestRevision).toBe(resourceVersion);
      return found;
    });
    expect(Number(body.oldestRevision)).toBeGreaterThan(Number(gone));
    expect(body.revisions.at(-1)).toMatchObject({ revision: resourceVersion });
    expect((await api.get(`${history}?revision=${body.oldestRevision}`)).status).toBe(200);
  });

  it.each([
    ['list: match=unset, limit unset', ''],
    ['list: match=NotOlderThan, limit unset', '&resourceVersionMatch=NotOlderThan'],
    ['list: match=NotOlderThan, limit=n', '&resourceVersionMatch=NotOlderThan&limit=2'],
  ])('%s, resourceVersion=N -> Not older than', async (_, query) => {
    const { status, body } = await api.get(`${path}?resourceVersion=${gone}${query}`);
    expect(status).toBe(200);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(gone));
    expect(names(body)).toEqual(['b', 'c']);
  });

  it('get: resourceVersion=N -> Not older than', async () => {
    const { status, body } = await api.get(`${path}/b?resourceVersion=${gone}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({ k: 'new' });
  });

  it.each(['', '&limit=1', '&resourceVersion=0'])(
    'list: continue=token%s -> 410 with a token that goes on',
    async (query) => {
      const { status, body } = await api.get(`${path}?continue=${token}${query}`);
      expect(status).toBe(410);
      expect(body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: { continue: expect.stringMatching(/./) },
        status: 'Failure',
        message: continueMessage,
        reason: 'Expired',
        code: 410,
      });
      const fresh = body.metadata.continue;
      expect(fresh).not.toBe(token);

      // The remaining items in their current state, at one new version.
      const next = await api.get(`${path}?limit=1&continue=${fresh}`);
      expect(next.status).toBe(200);
      expect(names(next.body)).toEqual(['b']);
      expect(next.body.items[0].data).toEqual({ k: 'new' });
      expect(Number(next.body.metadata.resourceVersion)).toBeGreaterThan(Number(gone));
      expect(next.body.metadata.remainingItemCount).toBe(1);
      expect(names((await api.get(`${path}?continue=${fresh}`)).body)).toEqual(['b', 'c']);
    },
  );

  it('list: the token of an inconsistent page keeps the version of that page', async () => {
    const fresh = (await api.get(`${path}?continue=${token}`)).body.metadata.continue;
    // The list finishes within the retention, so that the version of the first page still exists for the second.
    await vi.waitUntil(async () => {
      const first = (await api.get(`${path}?limit=1&continue=${fresh}`)).body;
      await api.post(path, { metadata: { name: 'd' } });
      const second = await api.get(`${path}?continue=${first.metadata.continue}`);
      await api.delete(`${path}/d`);
      if (second.status !== 200) return false;
      expect(second.body.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      expect(names(second.body)).toEqual(['c']);
      return true;
    });
  });

  it.each(['', '&allowWatchBookmarks=true', '&sendInitialEvents=false&resourceVersionMatch=NotOlderThan'])(
    'watch: resourceVersion=N%s -> 410',
    async (query) => {
      const { status, body } = await api.get(`${path}?watch=1&timeoutSeconds=1&resourceVersion=${gone}${query}`);
      expect(status).toBe(410);
      expect(body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: expect.stringMatching(new RegExp(`^too old resource version: ${gone} \\(\\d+\\)$`)),
        reason: 'Expired',
        code: 410,
      });
    },
  );

  it('watch: resourceVersion=1 -> 410, also for a type that nobody has read yet', async () => {
    const { status, body } = await api.get(
      '/api/v1/namespaces/expired/secrets?watch=1&timeoutSeconds=1&resourceVersion=1',
    );
    expect(status).toBe(410);
    expect(body).toMatchObject({ reason: 'Expired', code: 410 });
  });

  it('watch: sendInitialEvents=true, resourceVersion=N -> the state of now', async () => {
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await api.watch(`${path}?${query}&resourceVersion=${gone}`);
    expect(watch.status).toBe(200);
    expect(await watch.take(3)).toEqual(['ADDED b', 'ADDED c', 'BOOKMARK']);
    watch.close();
  });

  it('does not end a watch that has begun before', async () => {
    const watch = await api.watch(`${path}?watch=1`);
    expect(await watch.take(2)).toEqual(['ADDED b', 'ADDED c']);
    const { resourceVersion } = (await api.patch(`${path}/b`, { data: { k: 'newer' } })).body.metadata;
    await api.patch(`${path}/c`, { data: { k: 'newer' } });
    const old = `${path}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
    await vi.waitUntil(async () => (await api.get(old)).status === 410, { interval: 20 });
    await api.patch(`${path}/c`, { data: { k: 'newest' } });
    expect(await watch.take(3)).toEqual(['MODIFIED b', 'MODIFIED c', 'MODIFIED c']);
    watch.close();
  });
});
