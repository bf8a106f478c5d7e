import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

function deployment(name: string, replicas = 1) {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'registry.example/c:1' }] } },
    },
  };
}

describe('create', () => {
  it('answers with what the server has made of the object', async () => {
    const { status, body } = await api.post(configMaps, { metadata: { name: 'made' }, data: { b: '2', a: '1' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1', b: '2' } });
    expect(body.metadata).toMatchObject({ name: 'made', namespace: 'default' });
    expect(body.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(0);
    expect((await api.get(`${configMaps}/made`)).body).toEqual(body);
  });

  it('removes fields that only the server may set', async () => {
    const metadata = {
      name: 'cleaned',
      uid: '00000000-0000-4000-8000-000000000001',
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
      generation: 7,
    };
    const { body } = await api.post(deployments, { ...deployment('cleaned'), metadata, status: { replicas: 3 } });
    expect(body.metadata.uid).not.toBe(metadata.uid);
    expect(body.metadata.creationTimestamp).not.toBe(metadata.creationTimestamp);
    expect(body.metadata).not.toHaveProperty('deletionTimestamp');
    expect(body.metadata.generation).toBe(1);
    expect(body.status).toEqual({});
  });

  it('makes up a name from a prefix', async () => {
    const { body } = await api.post(configMaps, { metadata: { generateName: 'auto-' } });
    expect(body.metadata.name).toMatch(/^auto-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(body.metadata.generateName).toBe('auto-');
  });

  it.each([
    [
      'no name',
      { metadata: {} },
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    ['a name twice', { metadata: { name: 'kept' } }, 409, 'configmaps "kept" already exists'],
    [
      'another namespace',
      { metadata: { name: 'x', namespace: 'other' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'a version',
      { metadata: { name: 'x', resourceVersion: '5' } },
      400,
      'resourceVersion should not be set on objects to be created',
    ],
    [
      'a wrong type',
      { metadata: { name: 'x' }, data: 'text' },
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
  ])('refuses %s', async (_what, sent, code, message) => {
    await api.post(configMaps, { metadata: { name: 'kept' } });
    const response = await api.post(configMaps, sent);
    expect(response.body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message });
    expect(response.status).toBe(code);
  });

  it('needs a namespace that exists', async () => {
    const { status, body } = await api.post('/api/v1/namespaces/nowhere/configmaps', { metadata: { name: 'x' } });
    expect(status).toBe(404);
    expect(body).toMatchObject({
      message: 'namespaces "nowhere" not found',
      details: { name: 'nowhere', kind: 'namespaces' },
    });
  });

  it('warns of unknown fields, or refuses or ignores them as it is told', async () => {
    const odd = (name: string) => ({ metadata: { name }, data: {}, colour: 'red' });
    const warned = await api.post(configMaps, odd('odd-warned'));
    expect(warned.status).toBe(200);
    expect(warned.headers.warning).toBe('299 - "unknown field \\"colour\\""');
    expect(warned.body).not.toHaveProperty('colour');
    const ignored = await api.post(`${configMaps}?fieldValidation=Ignore`, odd('odd-ignored'));
    expect(ignored.headers).not.toHaveProperty('warning');
    const refused = await api.post(`${configMaps}?fieldValidation=Strict`, odd('odd-refused'));
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('strict decoding error: unknown field "colour"');
  });

  it('changes nothing in a dry run', async () => {
    const dry = await api.post(`${configMaps}?dryRun=All`, { metadata: { name: 'dry' } });
    expect(dry.status).toBe(200);
    expect(dry.body.metadata).toHaveProperty('uid');
    expect(dry.body.metadata).not.toHaveProperty('resourceVersion');
    expect((await api.get(`${configMaps}/dry`)).status).toBe(404);
  });
});

describe('update', () => {
  it('replaces the object and counts changes of the desired state only', async () => {
    const made = (await api.post(deployments, deployment('counted'))).body;
    const scaled = (await api.put(`${deployments}/counted`, { ...made, spec: { ...made.spec, replicas: 2 } })).body;
    expect(scaled.metadata.generation).toBe(2);
    expect(scaled.metadata.uid).toBe(made.metadata.uid);
    const labelled = (
      await api.put(`${deployments}/counted`, { ...scaled, metadata: { ...scaled.metadata, labels: { a: 'b' } } })
    ).body;
    expect(labelled.metadata.generation).toBe(2);
    expect(Number(labelled.metadata.resourceVersion)).toBeGreaterThan(Number(scaled.metadata.resourceVersion));
  });

  it('keeps the version when nothing changes, whatever the order of the keys', async () => {
    const made = (
      await api.post(configMaps, { metadata: { name: 'still', labels: { a: '1', b: '2' } }, data: { x: '1' } })
    ).body;
    const { data, metadata } = made;
    const again = await api.put(`${configMaps}/still`, {
      data,
      metadata: { ...metadata, labels: { b: '2', a: '1' } },
      binaryData: {},
    });
    expect(again.body).toEqual(made);
  });

  it('refuses a stale version', async () => {
    const made = (await api.post(configMaps, { metadata: { name: 'raced' } })).body;
    await api.put(`${configMaps}/raced`, { ...made, data: { a: '1' } });
    const { status, body } = await api.put(`${configMaps}/raced`, { ...made, data: { a: '2' } });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "raced": the object has been modified; please apply your changes to the latest version and try again',
      details: { name: 'raced', kind: 'configmaps' },
    });
  });

  it('overwrites without a version where the type allows it', async () => {
    await api.post(configMaps, { metadata: { name: 'plain' } });
    expect((await api.put(`${configMaps}/plain`, { metadata: { name: 'plain' }, data: { a: '1' } })).status).toBe(200);
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    await api.post(leases, { metadata: { name: 'strict' } });
    const refused = await api.put(`${leases}/strict`, { metadata: { name: 'strict' } });
    expect(refused.status).toBe(422);
    expect(refused.body.message).toBe(
      'leases.coordination.k8s.io "strict" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  it('creates what is absent, unless an existing object was meant', async () => {
    const created = await api.put(`${configMaps}/put-new`, { metadata: { name: 'put-new' } });
    expect(created.status).toBe(201);
    const meant = await api.put(`${configMaps}/gone`, { metadata: { name: 'gone', resourceVersion: '1' } });
    expect(meant.status).toBe(404);
    expect(meant.body.message).toBe('configmaps "gone" not found');
  });

  it('lets one of many concurrent writers win each version', async () => {
    const made = (await api.post(configMaps, { metadata: { name: 'contended' } })).body;
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.put(`${configMaps}/contended`, { ...made, data: { by: String(index) } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

describe('status', () => {
  it('is written by its own endpoint only', async () => {
    const made = (await api.post(deployments, deployment('watched'))).body;
    const main = await api.put(`${deployments}/watched`, { ...made, status: { replicas: 5 } });
    expect(main.body).toEqual(made);
    const written = await api.put(`${deployments}/watched/status`, {
      ...made,
      spec: { ...made.spec, replicas: 9 },
      status: { replicas: 5 },
    });
    expect(written.body.spec.replicas).toBe(1);
    expect(written.body.status.replicas).toBe(5);
    expect(written.body.metadata.generation).toBe(1);
    expect((await api.get(`${deployments}/watched/status`)).body).toEqual(written.body);
  });

  it('does not exist for types without one', async () => {
    await api.post(configMaps, { metadata: { name: 'bare' } });
    const { status, body } = await api.get(`${configMaps}/bare/status`);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
      details: {},
    });
  });
});

describe('patch', () => {
  it.each([
    ['merge', { data: { a: null, c: '3' } }, { b: '2', c: '3' }],
    ['strategic', { data: { a: null, c: '3' } }, { b: '2', c: '3' }],
    [
      'json',
      [
        { op: 'remove', path: '/data/a' },
        { op: 'add', path: '/data/c', value: '3' },
      ],
      { b: '2', c: '3' },
    ],
  ])('applies a %s patch', async (type, patch, data) => {
    const name = `patched-${type}`;
    await api.post(configMaps, { metadata: { name }, data: { a: '1', b: '2' } });
    const { status, body } = await api.patch(`${configMaps}/${name}`, patch, type);
    expect(status).toBe(200);
    expect(body.data).toEqual(data);
  });

  it('merges lists of maps by their key when the patch is strategic', async () => {
    await api.post(deployments, deployment('images'));
    const patch = { spec: { template: { spec: { containers: [{ name: 'side', image: 'registry.example/s:1' }] } } } };
    const { body } = await api.patch(`${deployments}/images`, patch, 'strategic');
    expect(body.spec.template.spec.containers.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'c',
      'side',
    ]);
  });

  it('refuses types that it does not know', async () => {
    const { status, body } = await api.call('PATCH', `${configMaps}/made`, {
      body: {},
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(415);
    expect(body.reason).toBe('UnsupportedMediaType');
  });
});

describe('delete', () => {
  it('answers with a Status and removes the object', async () => {
    const { metadata } = (await api.post(configMaps, { metadata: { name: 'doomed' } })).body;
    const { status, body } = await api.delete(`${configMaps}/doomed`);
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'doomed', kind: 'configmaps', uid: metadata.uid },
    });
    expect((await api.get(`${configMaps}/doomed`)).status).toBe(404);
  });

  it('waits for finalizers', async () => {
    await api.post(configMaps, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    const marked = await api.delete(`${configMaps}/held`);
    expect(marked.body).toMatchObject({ kind: 'ConfigMap', metadata: { deletionGracePeriodSeconds: 0 } });
    expect(marked.body.metadata).toHaveProperty('deletionTimestamp');
    const more = await api.patch(`${configMaps}/held`, {
      metadata: { finalizers: ['example.com/hold', 'example.com/more'] },
    });
    expect(more.status).toBe(422);
    expect((await api.patch(`${configMaps}/held`, { metadata: { finalizers: null } })).status).toBe(200);
    expect((await api.get(`${configMaps}/held`)).status).toBe(404);
  });

  it('sets no grace period for a namespace', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
    const { body } = await api.delete('/api/v1/namespaces/ending');
    expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    expect(body.metadata).toHaveProperty('deletionTimestamp');
    expect(body.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
  });

  it('checks preconditions', async () => {
    await api.post(configMaps, { metadata: { name: 'guarded' } });
    const { status, body } = await api.delete(`${configMaps}/guarded`, { body: { preconditions: { uid: 'other' } } });
    expect(status).toBe(409);
    expect(body.message).toContain('the UID in the precondition (other) does not match the UID in record');
    const dry = await api.delete(`${configMaps}/guarded?dryRun=All`, { body: {} });
    expect(dry.status).toBe(200);
    expect((await api.get(`${configMaps}/guarded`)).status).toBe(200);
  });

  it('deletes what a selector selects', async () => {
    for (const name of ['many-1', 'many-2'])
      await api.post(configMaps, { metadata: { name, labels: { many: 'yes' } } });
    const { body } = await api.delete(`${configMaps}?labelSelector=many%3Dyes`);
    expect(body.kind).toBe('ConfigMapList');
    expect(body.items).toHaveLength(2);
    expect((await api.get(`${configMaps}?labelSelector=many`)).body.items).toEqual([]);
    expect((await api.get(`${configMaps}/made`)).status).toBe(200);
  });
});
