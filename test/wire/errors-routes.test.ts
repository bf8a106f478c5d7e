import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const item = `${configMaps}/present`;

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await api.post(configMaps, { metadata: { name: 'present' } });
});
afterAll(() => api.stop());

describe('a path below a known group', () => {
  it.each([
    ['an unknown resource of the core group', '/api/v1/gadgets'],
    ['an unknown resource in a namespace', '/api/v1/namespaces/default/gadgets'],
    ['an unknown version of the core group', '/api/v2/pods'],
    ['an unknown version of a named group', '/apis/apps/v9/deployments'],
    ['an unknown resource of a named group', '/apis/apps/v1/gadgets'],
    ['a kind instead of its plural', '/api/v1/namespaces/default/ConfigMap'],
    ['an unknown subresource', `${item}/gadget`],
    ['a subresource that another type has', `${item}/finalize`],
    ['more segments than any resource has', `${item}/status/more`],
    ['a namespaced object without its namespace', '/api/v1/configmaps/present'],
    ['a cluster-scoped collection in a namespace', '/api/v1/namespaces/default/nodes'],
    ['a cluster-scoped object in a namespace', '/api/v1/namespaces/default/nodes/n'],
    ['an encoded slash within a name', `${configMaps}/pre%2Fsent`],
    ['two slashes before the resource', '/api/v1//configmaps'],
    ['an empty namespace', '/api/v1/namespaces//configmaps'],
    ['an empty name before a subresource', '/apis/apps/v1/namespaces/default/deployments//status'],
  ])('is a Status 404 for %s', async (_what, path) => {
    const { status, headers, body } = await api.get(path);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server could not find the requested resource',
      reason: 'NotFound',
      details: {},
      code: 404,
    });
  });

  it('names the absent object', async () => {
    const core = await api.get(`${configMaps}/absent`);
    expect(core.body).toMatchObject({
      message: 'configmaps "absent" not found',
      details: { name: 'absent', kind: 'configmaps' },
    });
    const named = await api.delete('/apis/apps/v1/namespaces/default/deployments/absent');
    expect(named.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'deployments.apps "absent" not found',
      reason: 'NotFound',
      details: { name: 'absent', group: 'apps', kind: 'deployments' },
      code: 404,
    });
  });
});

describe('a path outside the API', () => {
  it.each([
    ['an unknown root', '/gadgets'],
    ['an unknown group', '/apis/gadgets.example.com'],
    ['an unknown version of an unknown group', '/apis/gadgets.example.com/v1'],
    ['a resource of an unknown group', '/apis/gadgets.example.com/v1/gadgets'],
    ['an object of an unknown group', '/apis/gadgets.example.com/v1/namespaces/default/gadgets/x'],
    ['two slashes at the beginning', '//api/v1/configmaps'],
    ['something behind the version', '/version/more'],
    ['a health check that does not exist', '/livez/gadget'],
  ])('is a plain 404 for %s', async (_what, path) => {
    const { status, headers, text } = await api.get(path);
    expect(status).toBe(404);
    expect(text).toBe('404 page not found\n');
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });
});

describe('the spelling of a path', () => {
  it('does not mind a slash at the end', async () => {
    expect((await api.get(`${configMaps}/`)).body.kind).toBe('ConfigMapList');
    expect((await api.get(`${item}/`)).body.metadata.name).toBe('present');
  });

  it('is percent-decoded', async () => {
    const { status, body } = await api.get(configMaps.replace('default', 'd%65fault').concat('/%70resent'));
    expect(status).toBe(200);
    expect(body.metadata.name).toBe('present');
  });

  it.each(['/api/v1/namespaces/default/configmaps/%', '/api/%zz', '/%e0%a4%a', `${configMaps}/%ff`])(
    'cannot be badly encoded: %s',
    async (path) => {
      const { status, body } = await api.get(path);
      expect(status).toBe(400);
      expect(body).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
    },
  );

  it.each([
    ['a%25b', `Name parameter invalid: "a%b": may not contain '%'`],
    ['%2e', `Name parameter invalid: ".": may not be '.'`],
    ['%2e%2e', `Name parameter invalid: "..": may not be '..'`],
  ])('has names that fit a segment: %s', async (name, message) => {
    const { status, body } = await api.get(`${configMaps}/${name}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ reason: 'BadRequest', message });
  });
});

describe('a method', () => {
  it.each([
    ['HEAD', item],
    ['HEAD', configMaps],
    ['OPTIONS', item],
    ['OPTIONS', configMaps],
    ['TRACE', item],
    ['PROPFIND', configMaps],
    ['POST', item],
    ['PUT', configMaps],
    ['PATCH', configMaps],
    ['POST', '/api/v1/configmaps'],
    ['DELETE', '/api/v1/configmaps'],
    ['DELETE', '/api/v1/namespaces'],
    ['POST', '/apis/apps/v1/namespaces/default/deployments/x/status'],
    ['DELETE', '/apis/apps/v1/namespaces/default/deployments/x/status'],
    ['GET', '/api/v1/namespaces/default/finalize'],
    ['POST', '/api/v1'],
    ['DELETE', '/version'],
  ])('is refused if the path does not have it: %s %s', async (method, path) => {
    const sent = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: { metadata: { name: 'present' } } } : {};
    const { status, headers, body } = await api.call(method, path, sent);
    expect(status).toBe(405);
    expect(headers).not.toHaveProperty('allow');
    if (method === 'HEAD') return;
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server does not allow this method on the requested resource',
      reason: 'MethodNotAllowed',
      details: {},
      code: 405,
    });
  });

  it('leaves the object alone when it is refused', async () => {
    expect((await api.get(item)).status).toBe(200);
  });
});

it('answers every request with an id and forbids to keep the response', async () => {
  const { headers } = await api.get('/api/v1/gadgets');
  expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['cache-control']).toBe('no-cache, private');
  const echoed = await api.get(item, { headers: { 'audit-id': 'mine' } });
  expect(echoed.headers['audit-id']).toBe('mine');
});

describe('odd requests', () => {
  const configMaps = '/api/v1/namespaces/default/configmaps';

  it.each<[string, string, number, string | undefined]>([
    ['GET', '/api/v1/bindings', 404, undefined],
    ['GET', '/api/v1/namespaces/default/bindings', 405, undefined],
    ['PUT', '/api/v1/componentstatuses/x', 405, undefined],
    ['POST', '/api/v1/endpoints', 405, undefined],
    ['GET', '/api/v1/namespaces/default/endpoints', 200, 'deprecated'],
    ['POST', `${configMaps}/..`, 405, undefined],
    ['GET', `${configMaps}?fieldSelector=%3D`, 200, undefined],
    ['GET', `${configMaps}?fieldSelector=!%3D`, 400, undefined],
    ['GET', `${configMaps}?labelSelector=%zz`, 200, undefined],
  ])('%s %s is %i', async (method, path, status, warning) => {
    const response = await api.call(method, path, method === 'GET' ? {} : { body: {} });
    expect(response.status).toBe(status);
    const { warning: sent } = response.headers;
    if (warning === undefined) expect(sent).toBeUndefined();
    else expect(sent).toContain(warning);
  });

  it('compares the name of an update with the path', async () => {
    const { status, body } = await api.call('PUT', `${configMaps}/..`, { body: {} });
    expect([status, body.message]).toEqual([
      400,
      'the name of the object (.. based on URL) was undeterminable: name must be provided',
    ]);
  });

  it('reads preconditions of a delete from the query', async () => {
    await api.post(configMaps, { metadata: { name: 'conditional' } });
    const path = `${configMaps}/conditional`;
    expect((await api.delete(`${path}?resourceVersion=x`)).status).toBe(409);
    expect((await api.delete(`${path}?uid=x`)).status).toBe(409);
    const { metadata } = (await api.get(path)).body;
    expect((await api.delete(`${path}?uid=${metadata.uid}&resourceVersion=${metadata.resourceVersion}`)).status).toBe(
      200,
    );
  });

  it.each(['apiVersion', 'kind'])('refuses an %s that is no text', async (field) => {
    const { status, body } = await api.post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', [field]: 5 });
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining(`json: cannot unmarshal number into Go struct field .${field} of type string`),
    ]);
  });
});
