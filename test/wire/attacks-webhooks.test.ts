import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TestApi } from './api.ts';
import { configureWebhooks } from './webhook-configurations.ts';
import { WebhookServer } from './webhook-server.ts';

let api: TestApi;
let server: WebhookServer;
let target: WebhookServer;
let path: string;
const namespace = 'attacks';

beforeAll(async () => {
  [api, server, target] = await Promise.all([TestApi.start(), WebhookServer.start(), WebhookServer.start()]);
  path = await api.configMaps(namespace);
});

afterAll(() => Promise.all([api.stop(), server.stop(), target.stop()]));

const create = (query = '') => api.post(`${path}${query}`, { metadata: { name: 'new' } });

describe('a webhook', () => {
  it.each([301, 302, 307, 308])('cannot send the server elsewhere with status %i', async (status) => {
    const location = target.clientConfigFor('respond').url;
    const clientConfig = server.clientConfigFor('raw', { status, headers: { location }, body: '' });
    await configureWebhooks(api, 'validating', { webhooks: [{ clientConfig }], namespace });
    const response = await create();
    expect(response.status).toBe(500);
    expect(response.body.message).toContain(`the server responded with the status code ${status}`);
    expect(await target.take()).toEqual([]);
  });

  it('is skipped if it takes too long and its failures are ignored', async () => {
    const webhook = { clientConfig: server.clientConfigFor('silent'), failurePolicy: 'Ignore', timeoutSeconds: 1 };
    await configureWebhooks(api, 'mutating', { webhooks: [webhook], namespace });
    expect((await create('?dryRun=All')).status).toBe(200);
  });

  it('gets no credentials of the user or of the server', async () => {
    await server.take();
    await configureWebhooks(api, 'validating', {
      webhooks: [{ clientConfig: server.clientConfigFor('respond') }],
      namespace,
    });
    await api.call('POST', `${path}?dryRun=All`, {
      body: { metadata: { name: 'new' } },
      headers: {
        cookie: 'secret=1',
        'x-remote-user': 'jane',
        'impersonate-user': 'jane',
        'impersonate-group': 'system:masters',
      },
    });
    const [call] = await server.take();
    expect(Object.keys(call!.headers).sort()).toEqual([
      'accept',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ]);
    expect(call!.client).toBeUndefined();
    expect(call!.review.request.userInfo.username).toBe('jane');
  });

  it('cannot hold a request with an answer that never ends', async () => {
    const webhook = { clientConfig: server.clientConfigFor('drip'), timeoutSeconds: 1 };
    await configureWebhooks(api, 'mutating', { webhooks: [webhook], namespace });
    const response = await create();
    expect(response.status).toBe(500);
    expect(response.body.message).toMatch(/\?timeout=1s": context deadline exceeded$/);
  });

  it.each(['Ignore', 'Fail'])('is not waited for longer than the request may take: %s', async (failurePolicy) => {
    const webhook = { clientConfig: server.clientConfigFor('silent'), failurePolicy, timeoutSeconds: 30 };
    await configureWebhooks(api, 'mutating', {
      webhooks: [webhook, webhook].map((one, index) => ({ ...one, name: `${index}.slow.example` })),
      namespace,
    });
    await server.take();
    const response = await create('?timeout=3s');
    expect([response.status, response.body.reason, response.body.message]).toEqual([
      504,
      'Timeout',
      'Timeout: request did not complete within requested timeout - context deadline exceeded',
    ]);
    await vi.waitFor(async () => expect((await api.get(`${path}/new`)).status).toBe(404));
    const calls = await server.take();
    expect(calls).toHaveLength(1);
    expect(calls[0]!.query).toMatch(/^\?timeout=[123]s$/);
  });

  it('cannot forge audit annotations of others, or record what is too long', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'webhook-audit-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const policy = join(directory, 'policy.yaml');
    const log = join(directory, 'audit.log');
    await writeFile(
      policy,
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n  resources: [{group: "", resources: [secrets]}]\n- level: Request\n',
    );
    const audited = await TestApi.start({ auditPolicyFile: policy, auditLogPath: log });
    onTestFinished(() => audited.stop());
    await audited.configMaps(namespace);
    const auditAnnotations = { good: 'yes', 'other.example/key': 'forged', 'bad key': 'x', long: 'x'.repeat(10_300) };
    const patch = [{ op: 'add', path: '/metadata/annotations', value: { by: 'hook' } }];
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps', 'secrets'] },
    ];
    const changing = { clientConfig: server.clientConfigFor('respond', { auditAnnotations, patch }), rules };
    const failing = { clientConfig: server.clientConfigFor('reset'), rules, failurePolicy: 'Ignore' };
    await configureWebhooks(audited, 'mutating', { name: 'conf', webhooks: [changing, failing], namespace });
    await configureWebhooks(audited, 'validating', { name: 'conf', webhooks: [failing], namespace });
    for (const resource of ['configmaps', 'secrets']) {
      await audited.post(`/api/v1/namespaces/${namespace}/${resource}`, { metadata: { name: 'seen' } });
    }
    const annotations = async (resource: string) => {
      const events = (await readFile(log, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const event = events.find(
        ({ stage, objectRef }) =>
          stage === 'ResponseComplete' && objectRef?.resource === resource && objectRef.name === 'seen',
      );
      return Object.fromEntries(
        Object.entries(event.annotations as Record<string, string>).filter(([key]) => !key.startsWith('authorization')),
      );
    };
    const names = { configuration: 'conf', webhook: '0.hook.example' };
    const common = {
      '0.hook.example/good': 'yes',
      'mutation.webhook.admission.k8s.io/round_0_index_0': JSON.stringify({ ...names, mutated: true }),
      'mutation.webhook.admission.k8s.io/round_0_index_1': JSON.stringify({
        ...names,
        webhook: '1.hook.example',
        mutated: false,
      }),
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_1': '1.hook.example',
      'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': '0.hook.example',
    };
    await vi.waitFor(async () => expect(await annotations('secrets')).toEqual(common));
    expect(await annotations('configmaps')).toEqual({
      ...common,
      'patch.webhook.admission.k8s.io/round_0_index_0': JSON.stringify({ ...names, patch, patchType: 'JSONPatch' }),
    });
  });
});

it('two servers whose webhooks lead to each other do not block', async () => {
  const other = await TestApi.start();
  onTestFinished(() => other.stop());
  await other.configMaps(namespace);
  // Each webhook calls the API of the other server, which responds with an error that is ignored.
  const reaching = (peer: TestApi) => ({
    clientConfig: {
      url: `${peer.server.url}/api/v1/namespaces/${namespace}/configmaps`,
      caBundle: Buffer.from(String(peer.tls.ca)).toString('base64'),
    },
    failurePolicy: 'Ignore',
  });
  for (const kind of ['mutating', 'validating'] as const) {
    await configureWebhooks(api, kind, { webhooks: [reaching(other)], namespace });
    await configureWebhooks(other, kind, { webhooks: [reaching(api)], namespace });
  }
  const writes = [api, other].flatMap((each) =>
    Array.from({ length: 10 }, (_item, index) =>
      each.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: `mutual-${index}` } }),
    ),
  );
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(20).fill(200));
});
