import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { cronTab, defineCronTabs } from './crontabs.ts';

const group = 'routes.example.com';
const resource = `crontabs.${group}`;
let api: TestApi;
let path: string;
let clusterPath: string;
beforeAll(async () => {
  api = await TestApi.start();
  path = await defineCronTabs(api, { group });
  clusterPath = await defineCronTabs(api, { group: 'cluster.example.com', scope: 'Cluster' });
  await api.post(path, cronTab(group, 'x', { spec: { n: 1 } }));
});
afterAll(() => api.stop());

describe('a path without a custom type', () => {
  it.each([
    ['an unknown version', 'GET', () => path.replace('/v1/', '/v9/')],
    ['an unknown resource', 'GET', () => path.replace('crontabs', 'foos')],
    ['a namespaced object outside of namespaces', 'GET', () => `/apis/${group}/v1/crontabs/x`],
    ['a create outside of namespaces', 'POST', () => `/apis/${group}/v1/crontabs`],
    ['the deletion of all namespaces', 'DELETE', () => `/apis/${group}/v1/crontabs`],
    ['a cluster-wide type in a namespace', 'GET', () => clusterPath.replace('/v1/', '/v1/namespaces/default/')],
  ])('is answered with plain text: %s', async (_, method, at) => {
    const { status, headers, text } = await api.call(method, at());
    expect({ status, text }).toEqual({ status: 404, text: '404 page not found\n' });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });
});

describe('a request that a custom type does not serve', () => {
  const unsupported = (verb: string) => ({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${verb} is not supported on resources of kind "${resource}"`,
    details: { group, kind: 'crontabs' },
  });
  const missing = { code: 404, reason: 'NotFound', message: `${resource} "x" not found` };
  const nameless = { code: 400, reason: 'BadRequest', message: 'name must be provided' };
  it.each([
    ['GET', '/x/foo', missing],
    ['GET', '/x/scale', missing],
    ['OPTIONS', '/x', unsupported('')],
    ['POST', '/x/status', unsupported('create')],
    ['DELETE', '/x/status', unsupported('delete')],
    ['PUT', '', nameless],
    ['PATCH', '', nameless],
  ])('%s %s', async (method, below, status) => {
    const { body } = await api.call(method, path + below);
    expect(body).toMatchObject(status);
  });
});

describe('custom objects', () => {
  it.each(['/x', ''])('are there for HEAD, too: %j', async (below) => {
    const { status, text, headers } = await api.call('HEAD', path + below);
    expect({ status, text }).toEqual({ status: 200, text: '' });
    expect(headers['content-type']).toBe('application/json');
  });

  it('are created by a POST to any object, under the name in the body', async () => {
    const created = await api.post(`${path}/x`, cronTab(group, 'y'));
    expect([created.status, created.body.metadata.name]).toEqual([200, 'y']);
    expect((await api.post(`${path}/x`, cronTab(group, 'x'))).body.reason).toBe('AlreadyExists');
  });
});

describe('the media types of custom objects', () => {
  const objects = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const streams = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
  it.each([
    ['/x', 'application/xml', objects],
    ['/x', 'garbage', objects],
    ['?watch=1', 'application/xml', objects],
    ['?watch=1', 'application/yaml', streams],
  ])('are named to a client of %s that accepts %s', async (below, accept, listed) => {
    const { status, text } = await api.get(path + below, { headers: { accept } });
    expect(status).toBe(406);
    expect(text.replace(/\n +/g, ' ')).toContain(`only the following media types are accepted: ${listed}`);
  });
});

describe('the types of patches of custom objects', () => {
  it.each(['application/strategic-merge-patch+json', 'application/json', 'text/plain'])(
    'are named to a client that sends %s',
    async (type) => {
      const { body } = await api.call('PATCH', `${path}/x`, { body: {}, headers: { 'content-type': type } });
      expect(body).toMatchObject({
        code: 415,
        message:
          'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      });
    },
  );

  it('include CBOR where it is spoken', async () => {
    const other = await TestApi.start({ featureGates: 'CBORServingAndStorage=true' });
    onTestFinished(() => other.stop());
    const at = await defineCronTabs(other, { group });
    const call = { body: {}, headers: { 'content-type': 'text/plain' } };
    const { body } = await other.call('PATCH', `${at}/x`, call);
    expect(body.message).toMatch(/application\/apply-patch\+yaml, application\/apply-patch\+cbor$/);
  });
});
