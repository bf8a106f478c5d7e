import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf, objectOf, pathOf } from './custom-types.ts';
import { configureWebhooks, type WebhookKind } from './webhook-configurations.ts';
import { WebhookServer } from './webhook-server.ts';

let api: TestApi;
let server: WebhookServer;
let path: string;
const namespace = 'matching';

beforeAll(async () => {
  [api, server] = await Promise.all([TestApi.start(), WebhookServer.start()]);
  path = await api.configMaps(namespace, { stored: { env: 'prod' } });
});

afterAll(() => Promise.all([api.stop(), server.stop()]));

const kinds: readonly WebhookKind[] = ['mutating', 'validating'];
const create = (labels: object = {}) => api.post(`${path}?dryRun=All`, { metadata: { name: 'new', labels } });
const relabel = (env: string) => api.patch(`${path}/stored?dryRun=All`, { metadata: { labels: { env } } });

/** Returns how often the webhook is called. */
async function callsOf(kind: WebhookKind, webhook: object, write: () => Promise<unknown>) {
  await server.take();
  const clientConfig = server.clientConfigFor('respond');
  await configureWebhooks(api, kind, { webhooks: [{ clientConfig, ...webhook }] });
  await write();
  return (await server.take()).length;
}

describe.each(kinds)('a %s webhook', (kind) => {
  const prod = { matchLabels: { env: 'prod' } };
  const inNamespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
  const condition = (expression: string) => ({ matchConditions: [{ name: 'c', expression }] });
  const rule = (fields: object) => ({
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['*'], ...fields }],
  });
  it.each<[name: string, webhook: object, write: () => Promise<unknown>, calls: number]>([
    ['of the namespace', { namespaceSelector: inNamespace(namespace) }, create, 1],
    ['of another namespace', { namespaceSelector: inNamespace('other') }, create, 0],
    ['of an object with the label', { objectSelector: prod }, () => create({ env: 'prod' }), 1],
    ['of an object without the label', { objectSelector: prod }, create, 0],
    ['of an object that had the label', { objectSelector: prod }, () => relabel('test'), 1],
    ['of an object that gets the label', { objectSelector: { matchLabels: { env: 'new' } } }, () => relabel('new'), 1],
    ['of an object that never had the label', { objectSelector: { matchLabels: { env: 'x' } } }, () => relabel('y'), 0],
    ['of another operation', rule({ operations: ['DELETE'] }), create, 0],
    ['of objects in namespaces', rule({ scope: 'Namespaced' }), create, 1],
    ['of objects outside of namespaces', rule({ scope: 'Cluster' }), create, 0],
    [
      'of namespaces, which have no namespace',
      rule({ scope: 'Cluster' }),
      () => api.post('/api/v1/namespaces?dryRun=All', { metadata: { name: 'n' } }),
      1,
    ],
    [
      'of namespaces by their own labels',
      { ...rule({}), namespaceSelector: prod },
      () => api.post('/api/v1/namespaces?dryRun=All', { metadata: { name: 'n', labels: { env: 'prod' } } }),
      1,
    ],
    ['with a condition', condition("object.metadata.name == 'new'"), create, 1],
    ['with a condition that is false', condition("object.metadata.name != 'new'"), create, 0],
    ['with a condition on the operation', condition("request.operation == 'CREATE'"), create, 1],
    ['with a condition on permissions', condition("authorizer.path('/x').check('get').allowed()"), create, 1],
    ['without effects in a dry run', { sideEffects: 'NoneOnDryRun' }, create, 1],
  ])('%s', async (_name, webhook, write, calls) => {
    expect(await callsOf(kind, webhook, write)).toBe(calls);
  });

  it.each([
    ['Fail', 403],
    ['Ignore', 200],
  ])('has a condition that fails, and policy %s', async (failurePolicy, status) => {
    await server.take();
    const webhook = {
      clientConfig: server.clientConfigFor('respond'),
      ...condition('object.data.missing == 1'),
      failurePolicy,
    };
    await configureWebhooks(api, kind, { webhooks: [webhook] });
    const response = await create();
    expect(response.status).toBe(status);
    if (status === 403) {
      expect(response.body.message).toBe(
        'configmaps "new" is forbidden: expression \'object.data.missing == 1\' resulted in error: no such key: data',
      );
    }
    expect(await server.take()).toEqual([]);
  });

  it('is in force with the very next request, until it is deleted', async () => {
    const clientConfig = server.clientConfigFor('respond', { allowed: false });
    for (let round = 0; round < 5; round++) {
      const name = await configureWebhooks(api, kind, { webhooks: [{ clientConfig }] });
      expect((await create()).status).toBe(400);
      await api.delete(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/${name}`);
      expect((await create()).status).toBe(200);
    }
  });
});

describe('a custom type', () => {
  it('is matched in versions that it gets later', async () => {
    const rules = [{ apiGroups: ['hooks.example'], apiVersions: ['v2'], operations: ['*'], resources: ['boats'] }];
    await configureWebhooks(api, 'validating', {
      webhooks: [{ clientConfig: server.clientConfigFor('respond'), rules }],
    });
    const before = definitionOf({ singular: 'boat', group: 'hooks.example', versions: ['v1'] });
    await define(api, before);
    const boats = pathOf(before, { namespace });
    await server.take();
    await api.post(boats, objectOf(before, 'one'));
    expect(await server.take()).toEqual([]);
    const after = definitionOf({ singular: 'boat', group: 'hooks.example', versions: ['v1', 'v2'] });
    const definitionPath = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${after.metadata.name}`;
    await api.patch(definitionPath, { spec: after.spec });
    await api.post(boats, objectOf(before, 'two'));
    const [call] = await server.take();
    expect(call!.review.request).toMatchObject({
      resource: { version: 'v2' },
      requestResource: { version: 'v1' },
      object: { apiVersion: 'hooks.example/v2', metadata: { name: 'two' } },
    });
  });
});

it('a service is reached by its name, which its certificate must have', async () => {
  const hook = await WebhookServer.start({ address: 'hook.matching.svc' });
  onTestFinished(() => hook.stop());
  const service = { namespace, name: 'hook', path: '/respond', port: hook.port };
  await configureWebhooks(api, 'validating', {
    webhooks: [{ clientConfig: { service, caBundle: hook.caBundle } }],
    namespace,
  });
  const url = `https://hook.matching.svc:${hook.port}/respond?timeout=10s`;
  expect((await create()).body.message).toBe(
    'Internal error occurred: failed calling webhook "0.hook.example": failed to call webhook: ' +
      `Post "${url}": service "hook" not found`,
  );
  await api.post(`/api/v1/namespaces/${namespace}/services`, {
    metadata: { name: 'hook' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  expect((await create()).status).toBe(200);
  expect((await hook.take()).map(({ headers }) => headers.host)).toEqual([`hook.matching.svc:${hook.port}`]);
});

it('validating webhooks are called at the same time, and the first rejection in order counts', async () => {
  await server.take();
  const denying = (message: string) => ({
    clientConfig: server.clientConfigFor('respond', { allowed: false, status: { message } }),
  });
  await configureWebhooks(api, 'validating', { webhooks: [denying('one'), denying('two')], namespace });
  expect((await create()).body.message).toBe('admission webhook "0.hook.example" denied the request: one');
  expect(await server.take()).toHaveLength(2);
});

it('mutating webhooks are not called after one has rejected the request', async () => {
  await server.take();
  const clientConfig = server.clientConfigFor('respond', { allowed: false });
  await configureWebhooks(api, 'mutating', { webhooks: [{ clientConfig }, { clientConfig }], namespace });
  expect((await create()).status).toBe(400);
  expect(await server.take()).toHaveLength(1);
});
