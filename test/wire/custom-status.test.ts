import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';
import { define, definitionOf, objectOf, openSchema, pathOf } from './custom-types.ts';

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const scaled = definitionOf({
  singular: 'scaled',
  versions: [{ name: 'v1', schema: openSchema, subresources: { status: {}, scale } }],
});

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await define(api, scaled);
});
afterAll(() => api.stop());

describe('a type with status and scale, and an object without status', () => {
  let count = 0;
  async function made(): Promise<string> {
    const name = `a${++count}`;
    expect(await api.post(pathOf(scaled), objectOf(scaled, name, { spec: { replicas: 1 } }))).toMatchObject({
      status: 200,
    });
    return `${pathOf(scaled)}/${name}`;
  }

  it('is written to /status unchanged', async () => {
    const path = await made();
    const { body } = await api.get(path);
    const written = await api.put(`${path}/status`, body);
    expect([written.status, written.body]).toEqual([200, body]);
  });

  it.each([[{}], [{ status: null }], [{ spec: { replicas: 5 } }]])('is patched at /status: %j', async (patch) => {
    const path = await made();
    const { body } = await api.get(path);
    const written = await api.patch(`${path}/status`, patch);
    expect([written.status, written.body]).toEqual([200, body]);
  });

  it('loses its status again', async () => {
    const path = await made();
    const { body: before } = await api.get(path);
    expect((await api.patch(`${path}/status`, { status: { replicas: 1 } })).body.status).toEqual({ replicas: 1 });
    const { status, body } = await api.put(`${path}/status`, {
      ...before,
      metadata: { ...before.metadata, resourceVersion: (await api.get(path)).body.metadata.resourceVersion },
    });
    expect([status, body.status, body.spec]).toEqual([200, undefined, { replicas: 1 }]);
  });

  it('needs a status that its scale can show', async () => {
    const path = await made();
    expect((await api.patch(`${path}/status`, { status: { replicas: 'x' } })).status).toBe(422);
    expect((await api.patch(`${path}/status`, { status: 'x' })).status).toBe(422);
  });
});

const applied = { headers: { 'content-type': 'application/apply-patch+yaml' } };
const scaleOf = (path: string) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: path.split('/').at(-1) },
  spec: { replicas: 3 },
});

describe('the scale of an object without replicas', () => {
  let count = 0;
  async function made(): Promise<string> {
    const name = `empty${++count}`;
    const { status } = await api.post(pathOf(scaled), objectOf(scaled, name, { spec: { other: 1 } }));
    expect(status).toBe(200);
    return `${pathOf(scaled)}/${name}`;
  }

  it('cannot be read', async () => {
    expect((await api.get(`${await made()}/scale`)).body).toMatchObject({
      code: 500,
      message: 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    });
  });

  it.each<[string, (path: string) => Promise<ApiResponse>, number]>([
    ['PATCH', (path) => api.patch(`${path}/scale`, { spec: { replicas: 3 } }), 3],
    ['PATCH to nothing', (path) => api.patch(`${path}/scale`, { spec: { replicas: null } }), 0],
    ['PUT', (path) => api.put(`${path}/scale`, scaleOf(path)), 3],
    ['PUT without a number', (path) => api.put(`${path}/scale`, { ...scaleOf(path), spec: {} }), 0],
    [
      'apply',
      (path) => api.call('PATCH', `${path}/scale?fieldManager=m&force=true`, { body: scaleOf(path), ...applied }),
      3,
    ],
  ])('is written by %s', async (_verb, write, replicas) => {
    const path = await made();
    expect(await write(path)).toMatchObject({ status: 200 });
    expect((await api.get(path)).body.spec).toEqual({ other: 1, replicas });
    expect((await api.get(`${path}/scale`)).status).toBe(200);
  });

  it('is not written by a patch that sets no number', async () => {
    const path = await made();
    expect((await api.patch(`${path}/scale`, { metadata: { labels: { a: 'b' } } })).body).toMatchObject({
      code: 400,
      message: 'the spec replicas field ".spec.replicas" cannot be empty',
    });
    expect((await api.get(path)).body.spec).toEqual({ other: 1 });
  });
});

describe('a patch with an unknown field and a wrong type', () => {
  const object = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } };
  const spec = { type: 'object', properties: { object, other: object } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const closed = definitionOf({ singular: 'closed', versions: [{ name: 'v1', schema }] });
  beforeAll(async () => {
    await define(api, closed);
    await api.post(pathOf(closed), objectOf(closed, 'a', { spec: {} }));
  });

  it.each([
    [{ metadata: { labels: 5 }, spec: { foo: 1 } }, 'cannot unmarshal number into'],
    [{ metadata: { labels: { a: 5 } }, spec: { foo: 1 } }, 'cannot unmarshal number into'],
    [{ spec: { foo: 1, object: { apiVersion: 5, kind: 'A', bar: 1 } } }, 'spec.object.apiVersion'],
    [{ spec: { object: { apiVersion: 5, kind: 'A' }, other: { metadata: { bar: 1 } } } }, 'spec.object.apiVersion'],
  ])('is refused with the type alone: %j', async (patch, problem) => {
    const { body } = await api.patch(`${pathOf(closed)}/a`, patch);
    expect(body).toMatchObject({ code: 400, reason: 'BadRequest', message: expect.stringContaining(problem) });
    expect(body.message).not.toContain('"metadata"');
    expect(body.message).not.toContain('foo');
  });
});

it('defaults of an embedded resource are set before its type is required', async () => {
  const properties = {
    apiVersion: { type: 'string', default: 'v1' },
    kind: { type: 'string', default: 'Pod' },
    metadata: { type: 'object' },
    spec: { type: 'object' },
  };
  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, properties };
  const spec = { type: 'object', properties: { one: embedded, many: { type: 'array', items: embedded } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const holder = definitionOf({ singular: 'holder', versions: [{ name: 'v1', schema }] });
  await define(api, holder);
  const { status, body } = await api.post(
    pathOf(holder),
    objectOf(holder, 'a', { spec: { one: {}, many: [{ kind: 'Node' }] } }),
  );
  expect([status, body.message ?? body.spec]).toEqual([
    200,
    { many: [{ apiVersion: 'v1', kind: 'Node' }], one: { apiVersion: 'v1', kind: 'Pod' } },
  ]);
});
