import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';
import { define, definitionOf, definitions, objectOf, openSchema, pathOf } from './custom-types.ts';

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const other = { specReplicasPath: '.spec.count', statusReplicasPath: '.status.replicas' };
const rack = definitionOf({
  singular: 'rack',
  versions: [
    { name: 'v1', schema: openSchema, subresources: { scale, status: {} } },
    { name: 'v2', schema: openSchema, subresources: { scale, status: {} } },
    { name: 'v3', schema: openSchema, subresources: { scale: other } },
    { name: 'v4', schema: openSchema, subresources: {} },
  ],
});

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await define(api, rack);
});
afterAll(() => api.stop());

function apply(path: string, manager: string, body: object): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  return api.call('PATCH', `${path}?fieldManager=${manager}`, { headers, body });
}

interface Entry {
  readonly manager: string;
  readonly subresource?: string;
  readonly fieldsV1: object;
}

/** The owned fields, by manager and subresource. */
const owners = ({ body }: ApiResponse): Record<string, object> =>
  Object.fromEntries(
    body.metadata.managedFields.map((entry: Entry) => [
      [entry.manager, entry.subresource ?? ''].join(' ').trim(),
      entry.fieldsV1,
    ]),
  );

describe('the scale of a custom object', () => {
  it('keeps the managers of other versions', async () => {
    const path = `${pathOf(rack)}/managed`;
    for (const version of ['v1', 'v2', 'v3', 'v4']) {
      const spec = { [version]: 'x', ...(version === 'v2' && { replicas: 1 }) };
      const { status } = await apply(
        `${pathOf(rack, { version })}/managed`,
        version,
        objectOf(rack, 'managed', { spec }, version),
      );
      expect(status).toBeLessThan(300);
    }
    expect((await api.patch(`${path}/scale?fieldManager=scaler`, { spec: { replicas: 2 } })).status).toBe(200);
    expect(owners(await api.get(path))).toEqual({
      v1: { 'f:spec': { 'f:v1': {} } },
      v2: { 'f:spec': { 'f:v2': {} } },
      v3: { 'f:spec': { 'f:v3': {} } },
      v4: { 'f:spec': { 'f:v4': {} } },
      'scaler scale': { 'f:spec': { 'f:replicas': {} } },
    });
  });

  it('has no strategic merge patch', async () => {
    const path = `${pathOf(rack)}/strategic`;
    await api.post(pathOf(rack), objectOf(rack, 'strategic', { spec: { replicas: 1 } }));
    for (const target of [path, `${path}/status`, `${path}/scale`]) {
      const { body } = await api.patch(target, { spec: { replicas: 2 } }, 'strategic');
      expect(body).toMatchObject({
        code: 415,
        reason: 'UnsupportedMediaType',
        message: expect.stringContaining('accepted media types include: application/json-patch+json'),
      });
    }
    expect((await api.get(path)).body.spec.replicas).toBe(1);
  });
});

it('discovery lists a custom type, its status and its scale', async () => {
  const { body } = await api.get('/apis/example.com/v1');
  expect(body.resources.map(({ name }: { name: string }) => name)).toEqual(['racks', 'racks/status', 'racks/scale']);
});

it('the status of a pod ignores a deletion time', async () => {
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'example.com/c:1' }] };
  const { body: pod } = await api.post(pods, { metadata: { name: 'p' }, spec });
  const deletionTimestamp = '2020-01-01T00:00:00Z';
  const put = await api.put(`${pods}/p/status`, { ...pod, metadata: { ...pod.metadata, deletionTimestamp } });
  const patched = await api.patch(`${pods}/p/status`, { metadata: { deletionTimestamp } });
  for (const response of [put, patched]) {
    expect(response.status).toBe(200);
    expect(response.body.metadata.deletionTimestamp).toBeUndefined();
  }
});

it('the writer of the status of a definition owns the metadata that it writes', async () => {
  const path = `${definitions}/${rack.metadata.name}`;
  const response = await api.patch(`${path}/status?fieldManager=labeller`, { metadata: { labels: { a: 'b' } } });
  expect(response.body.metadata.labels).toEqual({ a: 'b' });
  expect(owners(response)['labeller status']).toEqual({ 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } });
});

it('an apply to the status of a service CIDR is recorded', async () => {
  const cidrs = '/apis/networking.k8s.io/v1/servicecidrs';
  await api.post(cidrs, { metadata: { name: 'more' }, spec: { cidrs: ['10.200.0.0/24'] } });
  const condition = {
    type: 'Odd',
    status: 'True',
    reason: 'Test',
    message: '',
    lastTransitionTime: '2020-01-01T00:00:00Z',
  };
  const applied = await apply(`${cidrs}/more/status`, 'applier', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'more', labels: { a: 'b' } },
    status: { conditions: [condition] },
  });
  expect(applied.status).toBe(200);
  expect(applied.body.metadata.labels).toBeUndefined();
  expect(owners(applied)['applier status']).toMatchObject({
    'f:status': { 'f:conditions': { 'k:{"type":"Odd"}': { 'f:status': {} } } },
  });
});
