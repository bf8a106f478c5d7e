import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi, type TestWatch } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await api.configMaps('paths', { a: { tier: 'web' }, b: {} });
  await api.configMaps('paths-2', { a: { tier: 'web' } });
});
afterAll(() => api.stop());

async function opened(path: string): Promise<TestWatch> {
  const watch = await api.watch(path);
  onTestFinished(() => watch.close());
  expect(watch.status).toBe(200);
  return watch;
}

async function seen(watch: TestWatch, count: number): Promise<string[]> {
  const events = [];
  for (let index = 0; index < count; index++) events.push((await watch.next())!);
  return events.map(({ type, object }) => `${type} ${object.metadata.namespace ?? ''}/${object.metadata.name}`);
}

const inNamespace = '/api/v1/watch/namespaces/paths/configmaps';

describe('a watch by its path', () => {
  it.each([
    ['/api/v1/watch/configmaps?labelSelector=tier', ['ADDED paths-2/a', 'ADDED paths/a']],
    ['/api/v1/watch/configmaps?fieldSelector=metadata.namespace%3Dpaths', ['ADDED paths/a', 'ADDED paths/b']],
    [inNamespace, ['ADDED paths/a', 'ADDED paths/b']],
    [`${inNamespace}?watch=false`, ['ADDED paths/a', 'ADDED paths/b']],
    [`${inNamespace}/b`, ['ADDED paths/b']],
    [`${inNamespace}/a?fieldSelector=metadata.name%3Da`, ['ADDED paths/a']],
    ['/api/v1/watch/namespaces/default', ['ADDED /default']],
    ['/api/v1/watch/namespaces?fieldSelector=metadata.name%3Ddefault', ['ADDED /default']],
  ])('%s begins with the present state', async (path, expected) => {
    expect(await seen(await opened(path), expected.length)).toEqual(expected);
  });

  it('serves other groups', async () => {
    const watch = await opened('/apis/coordination.k8s.io/v1/watch/namespaces/paths/leases');
    await api.post('/apis/coordination.k8s.io/v1/namespaces/paths/leases', { metadata: { name: 'l' } });
    expect(await seen(watch, 1)).toEqual(['ADDED paths/l']);
  });

  it('shows one object and no others', async () => {
    const watch = await opened(`${inNamespace}/later`);
    const path = '/api/v1/namespaces/paths/configmaps';
    for (const name of ['latest', 'later']) await api.post(path, { metadata: { name } });
    await api.delete(`${path}/latest`);
    await api.delete(`${path}/later`);
    expect(await watch.take(2)).toEqual(['ADDED later', 'DELETED later']);
  });

  it('begins at a version and ends in time, as any watch', async () => {
    const { resourceVersion } = (await api.get('/api/v1/configmaps')).body.metadata;
    const watch = await opened(`${inNamespace}?resourceVersion=${resourceVersion}&timeoutSeconds=1`);
    await watch.ended;
    expect(watch.endedCleanly).toBe(true);
    expect(await watch.next()).toBeUndefined();
  });

  it('refuses a selector of another object', async () => {
    const { status, body } = await api.get(`${inNamespace}/a?timeoutSeconds=1&fieldSelector=metadata.name%3Db`);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      reason: 'BadRequest',
      message: "fieldSelector metadata.name doesn't match requested name",
    });
  });

  it.each([
    '/api/v1/watch/nothing',
    '/api/v1/watch/namespaces/paths/nothing',
    '/api/v1/watch',
    `${inNamespace}/a/status`,
    '/api/v1/watch/componentstatuses',
  ])('%s leads nowhere', async (path) => {
    expect((await api.get(`${path}?timeoutSeconds=1`)).status).toBe(404);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is not for %s', async (method) => {
    const { status } = await api.call(method, inNamespace, { ...(method !== 'DELETE' && { body: {} }) });
    expect(status).toBe(405);
  });

  it('is refused without credentials', async () => {
    expect((await api.get(inNamespace, { credentials: false })).status).toBe(401);
  });
});
