import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

let count = 0;

/** Creates a config map. Returns it and its path. */
async function made() {
  const name = `patched-${++count}`;
  const { body } = await api.post(configMaps, { metadata: { name }, data: { a: '1' } });
  return { path: `${configMaps}/${name}`, name, body };
}

const replaceData = (value: string) => ({ op: 'replace', path: '/data/a', value });

describe('a version in a patch', () => {
  it.each<[string, (version: string) => unknown]>([
    ['merge', (resourceVersion) => ({ metadata: { resourceVersion }, data: { a: '2' } })],
    ['strategic', (resourceVersion) => ({ metadata: { resourceVersion }, data: { a: '2' } })],
    ['json', (value) => [{ op: 'replace', path: '/metadata/resourceVersion', value }, replaceData('2')]],
  ])('is a condition: %s', async (type, patch) => {
    const { path, name, body } = await made();
    const { resourceVersion } = body.metadata;
    expect((await api.patch(path, patch(resourceVersion), type)).body.data).toEqual({ a: '2' });
    const stale = await api.patch(path, patch(resourceVersion), type);
    expect(stale.body).toMatchObject({ code: 409, reason: 'Conflict', details: { name, kind: 'configmaps' } });
    const bad = await api.patch(path, patch('abc'), type);
    expect(bad.status).toBe(400);
  });

  it('can be tested by a JSON patch', async () => {
    const { path, body } = await made();
    const test = { op: 'test', path: '/metadata/resourceVersion', value: body.metadata.resourceVersion };
    expect((await api.patch(path, [test, replaceData('2')], 'json')).status).toBe(200);
    expect((await api.patch(path, [test, replaceData('3')], 'json')).body).toMatchObject({
      code: 422,
      message: 'the server rejected our request due to an error in our request',
      details: {},
    });
    expect((await api.get(path)).body.data).toEqual({ a: '2' });
  });

  it('is no condition when it is removed, except for types that require one', async () => {
    const { path } = await made();
    for (const resourceVersion of [null, '']) {
      expect((await api.patch(path, { metadata: { resourceVersion }, data: { a: '2' } })).status).toBe(200);
    }
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    await api.post(leases, { metadata: { name: 'wanting' }, spec: { holderIdentity: 'a' } });
    expect((await api.patch(`${leases}/wanting`, { spec: { holderIdentity: 'b' } })).status).toBe(200);
    const { body } = await api.patch(`${leases}/wanting`, { metadata: { resourceVersion: null } });
    expect(body.message).toContain('metadata.resourceVersion: Invalid value: 0: must be specified for an update');
  });

  it('lets one of many win', async () => {
    const { path, body } = await made();
    const { resourceVersion } = body.metadata;
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.patch(path, { metadata: { resourceVersion }, data: { a: `${index}x` } }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  });
});

describe('a patch without a version', () => {
  it.each<[string, (key: string) => unknown]>([
    ['merge', (key) => ({ data: { [key]: 'x' } })],
    ['strategic', (key) => ({ data: { [key]: 'x' } })],
    ['json', (key) => [{ op: 'add', path: `/data/${key}`, value: 'x' }]],
  ])('is applied however many others write: %s', async (type, patch) => {
    const { path } = await made();
    const keys = Array.from({ length: 24 }, (_, index) => `k${index}`);
    const responses = await Promise.all(keys.map((key) => api.patch(path, patch(key), type)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.metadata.resourceVersion)).size).toBe(keys.length);
    expect(Object.keys((await api.get(path)).body.data)).toEqual(expect.arrayContaining(keys));
  });
});

describe('the uid in a patch', () => {
  const uid = '00000000-0000-4000-8000-000000000001';

  it.each(['merge', 'strategic'])('cannot be another one: %s', async (type) => {
    const { path, name, body } = await made();
    const cause = {
      reason: 'FieldValueInvalid',
      message: `Invalid value: "${uid}": field is immutable`,
      field: 'metadata.uid',
    };
    expect((await api.patch(path, { metadata: { uid } }, type)).body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `ConfigMap "${name}" is invalid: metadata.uid: Invalid value: "${uid}": field is immutable`,
      details: { name, kind: 'ConfigMap', causes: [cause, cause] },
    });
    expect((await api.patch(path, { metadata: { uid: body.metadata.uid }, data: { a: '2' } }, type)).status).toBe(200);
    expect((await api.patch(path, { metadata: { uid: null } }, type)).body.metadata.uid).toBe(body.metadata.uid);
  });

  it('is a conflict in a PUT', async () => {
    const { path, name } = await made();
    expect((await api.put(path, { metadata: { name, uid } })).status).toBe(409);
  });
});

describe('a patch that changes nothing', () => {
  it.each<[string, unknown]>([
    ['merge', {}],
    ['merge', { data: { a: '1', none: null } }],
    ['merge', { metadata: { creationTimestamp: '2001-01-01T00:00:00Z', generation: 7 } }],
    ['merge', { metadata: { labels: {} } }],
    ['strategic', {}],
    ['strategic', null],
    ['strategic', { data: { a: '1' } }],
    ['strategic', { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/none'] } }],
    ['json', []],
    ['json', null],
    ['json', [replaceData('1')]],
    ['json', [replaceData('2'), replaceData('1')]],
    ['json', [{ op: 'test', path: '/data/a', value: '1' }]],
  ])('writes nothing: %s %j', async (type, patch) => {
    const { path, body } = await made();
    const watch = await api.watch(`${configMaps}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
    const response = await api.patch(path, patch, type);
    expect([response.status, response.body]).toEqual([200, body]);
    const { name } = await made();
    expect(await watch.take(1)).toEqual([`ADDED ${name}`]);
    watch.close();
  });
});
