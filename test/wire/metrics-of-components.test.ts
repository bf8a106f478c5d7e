import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/index.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { TestApi } from './api.ts';
import { definitions, widgetDefinition } from './custom-types.ts';
import { enforce, ownNamespace, ruleFor } from './policies.ts';
import { ScrapedMetrics } from './scraped-metrics.ts';
import { configureWebhooks } from './webhook-configurations.ts';
import { WebhookServer } from './webhook-server.ts';

let directory: string;
let api: TestApi;
let webhooks: WebhookServer;

/** Only creates of config maps are audited. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [
    {
      level: 'Metadata',
      verbs: ['create'],
      resources: [{ group: '', resources: ['configmaps'] }],
      namespaces: ['audited'],
    },
  ],
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-metrics-'));
  const auditPolicyFile = join(directory, 'policy.yaml');
  await writeFile(auditPolicyFile, JSON.stringify(auditPolicy));
  [api, webhooks] = await Promise.all([
    TestApi.start({ storage: 'embedded', auditPolicyFile, auditLogPath: join(directory, 'audit.log') }),
    WebhookServer.start(),
  ]);
});
afterAll(async () => {
  await Promise.all([api.stop(), webhooks.stop()]);
  await rm(directory, { recursive: true, force: true });
});

type Labels = Readonly<Record<string, string>>;

/** Returns the increase of each number during the work. */
async function added(
  numbers: Readonly<Record<string, readonly [name: string, labels?: Labels]>>,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await ScrapedMetrics.of(api);
  await work();
  const after = await ScrapedMetrics.of(api);
  const grown = Object.entries(numbers).map(([key, [name, labels]]) => [
    key,
    after.value(name, labels) - before.value(name, labels),
  ]);
  return Object.fromEntries(grown);
}

const configMap = (name: string) => ({ metadata: { name } });

describe('webhooks', () => {
  const call = { name: '0.hook.example', type: 'validating', operation: 'CREATE' };
  const numbers = {
    calls: ['apiserver_admission_webhook_request_total', call],
    durations: ['apiserver_admission_webhook_admission_duration_seconds_count', call],
    rejections: ['apiserver_admission_webhook_rejection_count', call],
    failOpens: ['apiserver_admission_webhook_fail_open_count', { name: call.name, type: call.type }],
  } as const;

  it.each([
    ['allow', {}, 'respond', undefined, { calls: 3, durations: 3, rejections: 0, failOpens: 0 }],
    ['reject', {}, 'respond', { allowed: false }, { calls: 3, durations: 3, rejections: 3, failOpens: 0 }],
    ['fail', { failurePolicy: 'Fail' }, 'reset', undefined, { calls: 3, durations: 3, rejections: 3, failOpens: 0 }],
    [
      'are left out',
      { failurePolicy: 'Ignore' },
      'reset',
      undefined,
      { calls: 3, durations: 3, rejections: 0, failOpens: 3 },
    ],
  ] as const)('counts those that %s', async (_, webhook, mode, response, expected) => {
    const path = await api.configMaps(`hooks-${mode}-${expected.rejections}-${expected.failOpens}`, {});
    const namespace = path.split('/')[4]!;
    const clientConfig = webhooks.clientConfigFor(mode, response);
    await configureWebhooks(api, 'validating', { namespace, webhooks: [{ clientConfig, ...webhook }] });
    const work = async () => {
      for (let count = 0; count < 3; count++) await api.post(path, configMap(`c${count}`));
    };
    const sent = ['rest_client_requests_total', { method: 'POST', host: new URL(clientConfig.url).host }] as const;
    expect(await added({ ...numbers, sent }, work)).toEqual({ ...expected, sent: 3 });
  });

  it('counts what match conditions exclude, and those that fail', async () => {
    const path = await api.configMaps('conditions', {});
    const matchConditions = [{ name: 'c', expression: "object.metadata.name != 'no' && object.data.x != ''" }];
    await configureWebhooks(api, 'validating', {
      namespace: 'conditions',
      webhooks: [{ clientConfig: webhooks.clientConfigFor('respond'), failurePolicy: 'Ignore', matchConditions }],
    });
    const labels = { ...call, kind: 'webhook' };
    const name = 'apiserver_admission_match_condition';
    const conditions = {
      evaluations: [`${name}_evaluation_seconds_count`, labels],
      exclusions: [`${name}_exclusions_total`, labels],
      errors: [`${name}_evaluation_errors_total`, labels],
      calls: numbers.calls,
    } as const;
    const work = async () => {
      await api.post(path, { ...configMap('yes'), data: { x: 'y' } });
      await api.post(path, configMap('no'));
      await api.post(path, configMap('without-data'));
    };
    expect(await added(conditions, work)).toEqual({ evaluations: 3, exclusions: 1, errors: 1, calls: 1 });
  });
});

describe('policies', () => {
  it('are counted by what follows, and their expressions are measured', async () => {
    const { matchResources, path } = await ownNamespace(api, 'policed');
    const work = async () => {
      await enforce(api, {
        name: 'named',
        rules: [ruleFor('/configmaps')],
        spec: {
          matchConditions: [{ name: 'c', expression: "object.metadata.name != 'left-out'" }],
          validations: [{ expression: "object.metadata.name.startsWith('good')" }],
        },
        binding: { matchResources, validationActions: ['Deny', 'Audit'] },
      });
      for (const name of ['good', 'good-2', 'bad', 'left-out']) await api.post(path('configmaps'), configMap(name));
    };
    const check = 'apiserver_validating_admission_policy_check';
    const of = (action: string) => ({ policy: 'named', policy_binding: 'named', enforcement_action: action });
    const { compilations, ...grown } = await added(
      {
        allowed: [`${check}_total`, of('allow')],
        denied: [`${check}_total`, of('deny')],
        audited: [`${check}_total`, of('audit')],
        durations: [`${check}_duration_seconds_count`, { policy: 'named' }],
        compilations: ['apiserver_cel_compilation_duration_seconds_count'],
        evaluations: ['apiserver_cel_evaluation_duration_seconds_count'],
        exclusions: [
          'apiserver_admission_match_condition_exclusions_total',
          { kind: 'policy', name: 'named', type: 'validate' },
        ],
      },
      work,
    );
    expect(grown).toEqual({
      allowed: 3,
      denied: 1,
      audited: 1,
      durations: 5,
      evaluations: 4,
      exclusions: 1,
    });
    // Each thread that has a request for it compiles it.
    expect(compilations).toBeGreaterThanOrEqual(1);
    expect(compilations).toBeLessThanOrEqual(testedThreads);
  });
});

describe('definitions', () => {
  it('are counted when they change the documents of OpenAPI and discovery', async () => {
    const { group } = widgetDefinition.spec;
    const { name } = widgetDefinition.metadata;
    const v3 = { group, version: 'v1', crd: name };
    const grown = await added(
      {
        added: ['apiextensions_openapi_v2_regeneration_count', { crd: name, reason: 'add' }],
        updated: ['apiextensions_openapi_v3_regeneration_count', { ...v3, reason: 'update' }],
        removed: ['apiextensions_openapi_v3_regeneration_count', { ...v3, reason: 'remove' }],
        refreshed: ['aggregator_discovery_aggregation_count_total'],
      },
      async () => {
        const path = `${definitions}/${name}`;
        await api.post(definitions, widgetDefinition);
        await expect.poll(async () => (await api.get(`/apis/${group}/v1/widgets`)).status).toBe(200);
        // A change of metadata does not change the documents.
        for (const patch of [{ metadata: { labels: { a: 'b' } } }, { spec: { names: { shortNames: ['w'] } } }]) {
          await api.patch(path, patch);
        }
        await expect.poll(async () => (await api.get(`/apis/${group}/v1`)).text).toContain('shortNames');
        await api.delete(path);
        await expect.poll(async () => (await api.get(`/apis/${group}/v1`)).status).toBe(404);
      },
    );
    expect(grown).toMatchObject({ added: 1, updated: 1, removed: 1 });
    expect(grown.refreshed).toBeGreaterThan(1);
  });
});

describe('rules of custom resources', () => {
  it('are measured when they are compiled and evaluated', async () => {
    const schema = {
      type: 'object',
      properties: { size: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 10' }],
    };
    await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'ruled.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'ruled', kind: 'Ruled' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
    const path = '/apis/example.com/v1/ruled';
    await expect.poll(async () => (await api.get(path)).status).toBe(200);
    const post = async (size: number) =>
      (await api.post(path, { apiVersion: 'example.com/v1', kind: 'Ruled', metadata: { name: `r${size}` }, size }))
        .status;
    const grown = await added(
      {
        compilations: ['apiserver_cel_compilation_duration_seconds_count'],
        evaluations: ['apiserver_cel_evaluation_duration_seconds_count'],
      },
      async () => expect([await post(1), await post(20), await post(2)]).toEqual([200, 422, 200]),
    );
    expect(grown.evaluations).toBe(3);
    expect(grown.compilations).toBeGreaterThan(0);
    expect(grown.compilations).toBeLessThanOrEqual(testedThreads);
  });
});

describe('audit', () => {
  it('is counted by level and event', async () => {
    const path = await api.configMaps('audited', {});
    const grown = await added(
      {
        metadata: ['apiserver_audit_level_total', { level: 'Metadata' }],
        events: ['apiserver_audit_event_total'],
        errors: ['apiserver_audit_error_total', { plugin: 'log' }],
        rejected: ['apiserver_audit_requests_rejected_total'],
      },
      async () => {
        for (const name of ['a', 'b']) await api.post(path, configMap(name));
        await api.get(path);
      },
    );
    // There is one event when the request is received and one for the response.
    expect(grown).toEqual({ metadata: 2, events: 4, errors: 0, rejected: 0 });
  });
});

describe('other parts', () => {
  it('reports APIServices that are not available', async () => {
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    const name = 'v1.nowhere.example.com';
    const of = async (labels: Labels, metric = 'aggregator_unavailable_apiservice') =>
      (await ScrapedMetrics.of(api)).value(metric, labels);
    await api.post(path, {
      metadata: { name },
      spec: {
        group: 'nowhere.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'nowhere' },
      },
    });
    await expect.poll(() => of({ name })).toBe(1);
    const total = 'aggregator_unavailable_apiservice_total';
    await expect.poll(() => of({ name, reason: 'ServiceNotFound' }, total)).toBe(1);
    expect((await ScrapedMetrics.of(api)).text).toContain('aggregator_unavailable_apiservice{name="v1.apps"} 0');
    await api.delete(`${path}/${name}`);
    await expect
      .poll(async () => (await ScrapedMetrics.of(api)).text.includes(`apiservice{name="${name}"}`))
      .toBe(false);
  });

  it('reports the store and the watch cache', async () => {
    const path = await api.configMaps('cached', {});
    const { body } = await api.post(path, configMap('a'));
    const metrics = await ScrapedMetrics.of(api);
    const labels = { group: '', resource: 'configmaps' };
    expect(metrics.value('apiserver_storage_size_bytes')).toBeGreaterThan(4096);
    expect(metrics.value('apiserver_watch_cache_capacity', labels)).toBeGreaterThan(0);
    expect(metrics.value('apiserver_watch_cache_resource_version', labels)).toBe(Number(body.metadata.resourceVersion));
  });

  it('counts requests of the server to itself as those of a client', async () => {
    const { client } = api.server as Server;
    const labels = { code: '404', method: 'GET', host: 'in-process' };
    const work = () =>
      client
        .resource({ group: '', version: 'v1', resource: 'namespaces' })
        .get('none')
        .catch(() => {});
    const grown = await added({ requests: ['rest_client_requests_total', labels] }, work);
    expect(grown).toEqual({ requests: 1 });
  });

  it('measures how long client certificates remain valid, and the filters', async () => {
    const filters = 'apiserver_request_filter_duration_seconds_count';
    const metrics = await ScrapedMetrics.of(api);
    expect(metrics.value('apiserver_client_certificate_expiration_seconds_count')).toBeGreaterThan(0);
    const grown = await added(
      {
        authentication: [filters, { filter: 'authentication' }],
        audit: [filters, { filter: 'audit' }],
        impersonation: [filters, { filter: 'impersonation' }],
        limit: [filters, { filter: 'priorityandfairness' }],
        authorization: [filters, { filter: 'authorization' }],
      },
      () => api.get('/api/v1/namespaces/default'),
    );
    // One of the two scrapes is counted as well.
    expect(grown).toEqual({ authentication: 2, audit: 2, impersonation: 2, limit: 2, authorization: 2 });
    expect(metrics.value('apiserver_current_inqueue_requests', { request_kind: 'mutating' })).toBe(0);
  });

  it('resets counters', async () => {
    await api.get('/api/v1/namespaces/default');
    await api.call('DELETE', '/metrics');
    // The DELETE itself is counted after the reset.
    expect((await ScrapedMetrics.of(api)).value('authentication_attempts', { result: 'success' })).toBe(1);
  });
});
