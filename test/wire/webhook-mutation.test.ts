import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { warningsOf } from './warnings-of.ts';
import { configureWebhooks, type TestWebhook } from './webhook-configurations.ts';
import { type WebhookResponse, WebhookServer } from './webhook-server.ts';

let api: TestApi;
let server: WebhookServer;
let path: string;
const namespace = 'mutation';

beforeAll(async () => {
  [api, server] = await Promise.all([TestApi.start(), WebhookServer.start()]);
  path = await api.configMaps(namespace);
});

afterAll(() => Promise.all([api.stop(), server.stop()]));

const patching = (...patch: object[]): TestWebhook => ({ clientConfig: server.clientConfigFor('respond', { patch }) });
const add = (at: string, value: unknown) => ({ op: 'add', path: at, value });
const labeling = (key: string, more: object = {}): TestWebhook => ({
  clientConfig: server.clientConfigFor('label', { key }),
  ...more,
});
const again = { reinvocationPolicy: 'IfNeeded' };

/** Returns the names of labels that the webhooks received, in the order of calls. */
async function seenLabels(): Promise<string[]> {
  const calls = await server.take();
  return calls.map(({ review }) => Object.keys(review.request.object.metadata.labels ?? {}).join());
}

describe('mutating webhooks', () => {
  it('change the object, with defaults and without owning the fields', async () => {
    await configureWebhooks(api, 'mutating', { webhooks: [patching(add('/data', { a: 'b' }))], namespace });
    const { status, body } = await api.post(path, { metadata: { name: 'patched', labels: { x: 'y' } } });
    expect([status, body.data]).toEqual([200, { a: 'b' }]);
    const [{ fieldsV1 }] = body.metadata.managedFields;
    expect(fieldsV1).toEqual({ 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } } });
  });

  it('get defaults for what they add', async () => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['services'] }];
    const port = { port: 80 };
    await configureWebhooks(api, 'mutating', {
      webhooks: [{ ...patching(add('/spec/ports/-', { ...port, name: 'b' })), rules }],
      namespace,
    });
    const { body } = await api.post(`/api/v1/namespaces/${namespace}/services`, {
      metadata: { name: 'defaulted' },
      spec: { ports: [{ port: 90, name: 'a' }] },
    });
    expect(body.spec.ports[1]).toEqual({ name: 'b', protocol: 'TCP', port: 80, targetPort: 80 });
  });

  it('run in the order of configurations, each with the changes of those before', async () => {
    await server.take();
    await configureWebhooks(api, 'mutating', { name: 'z', webhooks: [labeling('c')], namespace });
    await configureWebhooks(api, 'mutating', { name: 'y', webhooks: [labeling('b'), labeling('a')], namespace });
    const { body } = await api.post(path, { metadata: { name: 'ordered' } });
    expect(Object.keys(body.metadata.labels)).toEqual(['a', 'b', 'c']);
    expect(await seenLabels()).toEqual(['', 'b', 'a,b']);
  });

  it.each<[name: string, webhooks: () => TestWebhook[], seen: string[]]>([
    ['again when a later one changed the object', () => [labeling('a', again), labeling('b')], ['', 'a', 'a,b']],
    ['once if nothing changed after them', () => [labeling('b'), labeling('a', again)], ['', 'b']],
    ['once unless they ask for it', () => [labeling('a'), labeling('b')], ['', 'a']],
    [
      'again, each that is not the last',
      () => [labeling('a', again), labeling('b', again), labeling('c')],
      ['', 'a', 'a,b', 'a,b,c', 'a,b,c'],
    ],
    ['once more at most', () => [labeling('a', again), labeling('b', again)], ['', 'a', 'a,b']],
    [
      'not for the first time in the second round',
      () => [labeling('a', { ...again, objectSelector: { matchLabels: { b: 'x' } } }), labeling('b')],
      [''],
    ],
  ])('are called %s', async (_name, webhooks, seen) => {
    await server.take();
    await configureWebhooks(api, 'mutating', { webhooks: webhooks(), namespace });
    expect((await api.post(`${path}?dryRun=All`, { metadata: { name: 'again' } })).status).toBe(200);
    expect(await seenLabels()).toEqual(seen);
  });

  it('let the built-in plugins see their changes', async () => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
    const patch = add('/spec/priorityClassName', 'system-node-critical');
    const removed = [
      { op: 'remove', path: '/spec/priority' },
      { op: 'remove', path: '/spec/preemptionPolicy' },
    ];
    await configureWebhooks(api, 'mutating', { webhooks: [{ ...patching(patch, ...removed), rules }], namespace });
    const { body } = await api.post(`/api/v1/namespaces/${namespace}/pods?dryRun=All`, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false },
    });
    expect(body.spec).toMatchObject({ priority: 2_000_001_000, preemptionPolicy: 'PreemptLowerPriority' });
  });

  it('have their results validated', async () => {
    await configureWebhooks(api, 'mutating', { webhooks: [patching(add('/data', { 'bad key': 'x' }))], namespace });
    const { status, body } = await api.post(path, { metadata: { name: 'invalid' } });
    expect([status, body.details.causes[0].field]).toEqual([422, 'data[bad key]']);
  });

  it('may rename a new object', async () => {
    await configureWebhooks(api, 'mutating', { webhooks: [patching(add('/metadata/name', 'other'))], namespace });
    expect((await api.post(path, { metadata: { name: 'renamed' } })).body.metadata.name).toBe('other');
  });

  it('cannot change an object that is deleted', async () => {
    await api.post(path, { metadata: { name: 'deleted' } });
    await configureWebhooks(api, 'mutating', { webhooks: [patching(add('/data', {}))], namespace });
    const { status, body } = await api.delete(`${path}/deleted`);
    const problem = 'attempted to modify the object, which is not supported for this operation';
    expect([status, body.message]).toEqual([
      500,
      `Internal error occurred: admission webhook "0.hook.example" ${problem}`,
    ]);
  });

  it('warn', async () => {
    const response: WebhookResponse = { warnings: ['careful', 'bad\r\nheader: x', 'second'] };
    await configureWebhooks(api, 'mutating', {
      webhooks: [{ clientConfig: server.clientConfigFor('respond', response) }],
      namespace,
    });
    const { headers } = await api.post(path, { metadata: { name: 'warned' } });
    expect(warningsOf(headers)).toEqual(['careful', 'second']);
  });

  it('cannot break managed fields', async () => {
    const patch = add('/metadata/managedFields', [{ operation: 'Update', apiVersion: 'v1', fieldsType: 'Other' }]);
    await configureWebhooks(api, 'mutating', { webhooks: [patching(patch)], namespace });
    const response = await api.post(path, { metadata: { name: 'unmanaged' }, data: { a: 'b' } });
    expect(response.body.metadata.managedFields).toMatchObject([{ fieldsV1: { 'f:data': {} } }]);
    expect(warningsOf(response.headers)[0]).toMatch(
      /^\.metadata\.managedFields was in an invalid state after admission; /,
    );
  });
});

describe('on an update, mutating webhooks cannot change', () => {
  const namespaces = 'the namespace of the provided object does not match the namespace sent on the request';
  it.each<[field: string, value: string, status: number, message: string]>([
    ['name', 'other', 422, 'metadata.name: Invalid value: "other": field is immutable'],
    ['namespace', 'default', 400, namespaces],
    [
      'uid',
      '00000000-0000-4000-8000-000000000001',
      422,
      'metadata.uid: Invalid value: "00000000-0000-4000-8000-000000000001": field is immutable',
    ],
    [
      'resourceVersion',
      '1',
      409,
      'the object has been modified; please apply your changes to the latest version and try again',
    ],
    ['creationTimestamp', '2001-01-01T00:00:00Z', 200, ''],
  ])('%s', async (field, value, status, message) => {
    const name = `fixed-${field.toLowerCase()}`;
    const { body: before } = await api.post(path, { metadata: { name } });
    await configureWebhooks(api, 'mutating', { webhooks: [patching(add(`/metadata/${field}`, value))], namespace });
    for (const write of [
      () => api.put(`${path}/${name}`, before),
      () => api.patch(`${path}/${name}`, { data: { a: 'b' } }),
    ]) {
      const response = await write();
      expect(response.status).toBe(status);
      expect(response.body.message ?? '').toContain(message);
    }
    const { metadata } = (await api.get(`${path}/${name}`)).body;
    expect(metadata[field] === before.metadata[field] || field === 'resourceVersion').toBe(true);
  });

  it('their type, or remove the metadata', async () => {
    await api.post(path, { metadata: { name: 'typed' } });
    const attempts: [object, number][] = [
      [add('/apiVersion', 'v2'), 500],
      [{ op: 'remove', path: '/metadata' }, 422],
    ];
    for (const [patch, status] of attempts) {
      const name = `typed-${status}`;
      await configureWebhooks(api, 'mutating', { name, webhooks: [patching(patch)], namespace });
      expect((await api.patch(`${path}/typed`, { data: { a: 'b' } })).status).toBe(status);
      await api.delete(`/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/${name}`);
    }
  });
});

it('a new object cannot move to another namespace', async () => {
  await configureWebhooks(api, 'mutating', { webhooks: [patching(add('/metadata/namespace', 'default'))], namespace });
  expect((await api.post(path, { metadata: { name: 'moved' } })).status).toBe(400);
});
