import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { appliedConfigMap, applyConfigMap, configMap, configMaps, freshName } from './applied-config-maps.ts';
import { applyAs, ownersOf } from './field-owners.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const apply = (name: string, body: unknown, query = '') => applyConfigMap(api, name, { body, query });
const made = () => appliedConfigMap(api);

describe('a configuration', () => {
  it('creates an object and then changes it', async () => {
    const name = freshName();
    const first = await apply(name, configMap(name, { a: '1' }));
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ metadata: { name, namespace: 'default' }, data: { a: '1' } });
    const [entry, ...others] = first.body.metadata.managedFields;
    expect(others).toEqual([]);
    expect(entry).toEqual({
      manager: 'm',
      operation: 'Apply',
      apiVersion: 'v1',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
    });
    const second = await apply(name, configMap(name, { a: '2', b: '1' }));
    expect([second.status, second.body.data]).toEqual([200, { a: '2', b: '1' }]);
    expect(second.body.metadata.uid).toBe(first.body.metadata.uid);
    expect((await api.get(`${configMaps}/${name}`)).body).toEqual(second.body);
  });

  it.each([
    ['JSON', (name: string) => JSON.stringify(configMap(name, { a: '1' }))],
    ['YAML', (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: "1"\n`],
    [
      'YAML of several styles',
      (name: string) =>
        `{apiVersion: v1, kind: ConfigMap}\n`.replace('}', `, metadata: {name: ${name}}, data: &d {a: '1'}}`),
    ],
  ])('may be %s', async (_notation, text) => {
    const name = freshName();
    const { status, body } = await apply(name, text(name));
    expect([status, body.data]).toEqual([201, { a: '1' }]);
    expect(ownersOf(body)).toEqual(['m: .data.a']);
  });

  it('may be of a type with parameters', async () => {
    const name = freshName();
    const headers = { 'content-type': 'application/apply-patch+yaml; charset=utf-8' };
    expect((await applyAs(api, 'm', { path: `${configMaps}/${name}`, body: configMap(name), headers })).status).toBe(
      201,
    );
  });

  it('creates an object without owners if it is empty', async () => {
    const name = freshName();
    const { status, body } = await apply(name, configMap(name));
    expect(status).toBe(201);
    expect(body.metadata).not.toHaveProperty('managedFields');
  });

  it('does not own the fields that identify the object', async () => {
    const name = freshName();
    const { body } = await apply(
      name,
      configMap(name, undefined, { namespace: 'default', labels: { a: 'b' }, generation: 7 }),
    );
    expect(ownersOf(body)).toEqual(['m: .metadata.labels.a']);
  });

  it.each([
    ['/api/v1/nodes', 'v1', 'Node', {}],
    ['/api/v1/namespaces', 'v1', 'Namespace', {}],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'rbac.authorization.k8s.io/v1', 'ClusterRole', {}],
  ])('creates objects without a namespace: %s', async (path, apiVersion, kind, rest) => {
    const name = freshName();
    const body = { apiVersion, kind, metadata: { name, labels: { a: 'b' } }, ...rest };
    const response = await applyAs(api, 'm', { path: `${path}/${name}`, body });
    expect(response.status).toBe(201);
    expect(ownersOf(response.body)).toEqual(['m: .metadata.labels.a']);
  });

  it('needs a namespace that exists', async () => {
    const path = '/api/v1/namespaces/nowhere/configmaps/a';
    expect((await applyAs(api, 'm', { path, body: configMap('a') })).status).toBe(404);
  });

  it('must be sent to an object, not to a collection', async () => {
    expect((await applyAs(api, 'm', { path: configMaps, body: configMap('a') })).status).toBe(405);
  });
});

describe('the options', () => {
  const required = 'fieldManager: Required value: is required for apply patch';

  it.each([
    ['', required],
    ['?fieldManager=', required],
    ['?force=true', required],
    [`?fieldManager=${'x'.repeat(129)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
    ['?fieldManager=a%07b', 'fieldManager: Invalid value: "a\\ab": invalid character U+0007 (at position 1)'],
  ])('are refused: %s', async (query, problem) => {
    const { name } = await made();
    const headers = { 'content-type': 'application/apply-patch+yaml', 'user-agent': 'program/1' };
    const { body } = await api.call('PATCH', `${configMaps}/${name}${query}`, { body: configMap(name), headers });
    expect(body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `PatchOptions.meta.k8s.io "" is invalid: ${problem}`,
      details: { group: 'meta.k8s.io', kind: 'PatchOptions', causes: [{ field: 'fieldManager' }] },
    });
  });

  it.each(['x'.repeat(128), '%C3%A9%20%E5%90%8D', 'a%2Fb'])('may name any manager: %s', async (manager) => {
    const name = freshName();
    const { body } = await applyAs(api, manager, { path: `${configMaps}/${name}`, body: configMap(name, { a: '1' }) });
    expect(ownersOf(body)).toEqual([`${decodeURIComponent(manager)}: .data.a`]);
  });

  it.each([
    ['&force=true', 200],
    ['&force=1', 200],
    ['&force=True', 200],
    ['&force=x', 400],
    ['&force=', 200],
    ['&force=false', 409],
    ['&force=0', 409],
    ['', 409],
  ])('force with %s gives %i', async (query, status) => {
    const { name } = await made();
    const response = await applyAs(api, 'n', {
      path: `${configMaps}/${name}`,
      body: configMap(name, { a: '2' }),
      query,
    });
    expect(response.status).toBe(status);
  });

  it('force is for apply alone', async () => {
    const { name } = await made();
    const { body } = await api.patch(`${configMaps}/${name}?force=true`, { data: { a: '2' } });
    expect(body).toMatchObject({ code: 422, details: { causes: [{ field: 'force' }] } });
  });
});

describe('versions and identities in a configuration', () => {
  const uid = '00000000-0000-4000-8000-000000000001';

  it('are conditions: resourceVersion', async () => {
    const { name, body } = await made();
    const { resourceVersion } = body.metadata;
    expect((await apply(name, configMap(name, { a: '2' }, { resourceVersion }))).status).toBe(200);
    const stale = await apply(name, configMap(name, { a: '3' }, { resourceVersion }));
    expect(stale.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on configmaps "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      details: { name, kind: 'configmaps' },
    });
    expect((await apply(name, configMap(name, { a: '3' }, { resourceVersion: 'abc' }))).status).toBe(400);
    expect((await api.get(`${configMaps}/${name}`)).body.data).toEqual({ a: '2' });
  });

  it.each([
    ['7', 404],
    ['007', 404],
    ['abc', 400],
    ['0', 201],
    ['', 201],
  ])('never bring back what is gone: resourceVersion %j gives %i', async (resourceVersion, status) => {
    const name = freshName();
    expect((await apply(name, configMap(name, {}, { resourceVersion }))).status).toBe(status);
    expect((await api.get(`${configMaps}/${name}`)).status).toBe(status === 201 ? 200 : 404);
  });

  it('cannot be another one: uid', async () => {
    const { name, body } = await made();
    expect((await apply(name, configMap(name, { a: '2' }, { uid: body.metadata.uid }))).status).toBe(200);
    expect((await apply(name, configMap(name, { a: '3' }, { uid }))).body).toMatchObject({
      code: 422,
      details: { causes: expect.arrayContaining([expect.objectContaining({ field: 'metadata.uid' })]) },
    });
  });

  it('are a conflict if the object is gone: uid', async () => {
    const name = freshName();
    const mismatch = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    expect((await apply(name, configMap(name, {}, { uid }))).body).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on configmaps "${name}": ${mismatch}`,
    });
    expect((await api.get(`${configMaps}/${name}`)).status).toBe(404);
  });
});
