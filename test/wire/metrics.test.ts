import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { ScrapedMetrics } from './scraped-metrics.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const configMaps = '/api/v1/namespaces/default/configmaps';
const ofConfigMaps = { group: '', version: 'v1', resource: 'configmaps', subresource: '', component: 'apiserver' };
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** Returns the increase of a number during the work. */
async function added(
  name: string,
  labels: Readonly<Record<string, string>>,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await ScrapedMetrics.of(api);
  await work();
  return (await ScrapedMetrics.of(api)).value(name, labels) - before.value(name, labels);
}

describe('requests', () => {
  const cases: readonly [what: string, labels: Readonly<Record<string, string>>, work: () => Promise<unknown>][] = [
    [
      'creates',
      { verb: 'POST', scope: 'resource', code: '200', dry_run: '' },
      () => api.post(configMaps, configMap('a')),
    ],
    [
      'dry runs',
      { verb: 'POST', scope: 'resource', code: '200', dry_run: 'All' },
      () => api.post(`${configMaps}?dryRun=All`, configMap('b')),
    ],
    ['conflicts', { verb: 'POST', code: '409' }, () => api.post(configMaps, configMap('a'))],
    ['reads', { verb: 'GET', scope: 'resource', code: '200' }, () => api.get(`${configMaps}/a`)],
    ['absent objects', { verb: 'GET', scope: 'resource', code: '404' }, () => api.get(`${configMaps}/none`)],
    ['lists of a namespace', { verb: 'LIST', scope: 'namespace', code: '200' }, () => api.get(configMaps)],
    ['lists of all namespaces', { verb: 'LIST', scope: 'cluster', code: '200' }, () => api.get('/api/v1/configmaps')],
    [
      'watches',
      { verb: 'WATCH', scope: 'namespace', code: '200' },
      () => api.get(`${configMaps}?watch=1&timeoutSeconds=1`),
    ],
    [
      'patches',
      { verb: 'PATCH', code: '200' },
      () =>
        api.call('PATCH', `${configMaps}/a`, {
          body: { data: { a: 'b' } },
          headers: { 'content-type': 'application/merge-patch+json' },
        }),
    ],
    [
      'applies',
      { verb: 'APPLY', code: '201' },
      () =>
        api.call('PATCH', `${configMaps}/applied?fieldManager=me`, {
          body: configMap('applied'),
          headers: { 'content-type': 'application/apply-patch+yaml' },
        }),
    ],
    ['updates', { verb: 'PUT', code: '200' }, () => api.call('PUT', `${configMaps}/a`, { body: configMap('a') })],
    ['deletes', { verb: 'DELETE', code: '200' }, () => api.call('DELETE', `${configMaps}/applied`)],
    [
      'deletes of collections',
      { verb: 'DELETECOLLECTION', scope: 'namespace', code: '200' },
      () => api.call('DELETE', `${configMaps}?labelSelector=no=one`),
    ],
    [
      'anonymous requests',
      { verb: 'GET', code: '401' },
      () => api.call('GET', `${configMaps}/a`, { credentials: false }),
    ],
  ];

  it('counts each of them once', async () => {
    const before = await ScrapedMetrics.of(api);
    for (const [, , work] of cases) await work();
    const after = await ScrapedMetrics.of(api);
    const counted = cases.map(([what, labels]) => {
      const [one, other] = [before, after].map((metrics) =>
        metrics.value('apiserver_request_total', { ...ofConfigMaps, ...labels }),
      );
      return [what, other! - one!];
    });
    expect(counted).toEqual(cases.map(([what]) => [what, 1]));
  });

  it('measures durations and sizes of reads', async () => {
    const labels = { ...ofConfigMaps, verb: 'GET', scope: 'resource' };
    const { text } = await api.get(`${configMaps}/a`);
    const before = await ScrapedMetrics.of(api);
    await api.get(`${configMaps}/a`);
    const after = await ScrapedMetrics.of(api);
    const grown = (name: string): number => after.value(name, labels) - before.value(name, labels);
    expect(grown('apiserver_request_duration_seconds_count')).toBe(1);
    expect(grown('apiserver_request_sli_duration_seconds_count')).toBe(1);
    expect(grown('apiserver_request_duration_seconds_sum')).toBeGreaterThan(0);
    expect(grown('apiserver_response_sizes_sum')).toBe(Buffer.byteLength(text));
  });

  it('measures request bodies', async () => {
    const body = JSON.stringify(configMap('a'));
    const work = () => api.call('PUT', `${configMaps}/a`, { body, headers: { 'content-type': 'application/json' } });
    const labels = { group: '', resource: 'configmaps', verb: 'update' };
    expect(await added('apiserver_request_body_size_bytes_sum', labels, work)).toBe(Buffer.byteLength(body));
  });

  it('counts health requests by their path', async () => {
    const labels = { verb: 'GET', subresource: '/readyz', component: '', code: '200' };
    expect(await added('apiserver_request_total', labels, () => api.get('/readyz'))).toBe(1);
  });

  it('ignores resources that are not served, so that clients cannot choose labels', async () => {
    await api.get('/api/v1/namespaces/default/madeupthings');
    await api.get('/apis/madeup.example.com/v1/things');
    await api.get(`${configMaps}/a/madeup`);
    await api.get('/madeup');
    expect((await ScrapedMetrics.of(api)).text).not.toContain('madeup');
  });

  it('shows open watches', async () => {
    const labels = { ...ofConfigMaps, verb: 'WATCH', scope: 'namespace' };
    const open = async () => (await ScrapedMetrics.of(api)).value('apiserver_longrunning_requests', labels);
    const before = await open();
    const watch = await api.watch(`${configMaps}?watch=1`);
    await expect.poll(open).toBe(before + 1);
    watch.close();
    await expect.poll(open).toBe(before);
  });

  it('has the labels of kube-apiserver', async () => {
    const metrics = await ScrapedMetrics.of(api);
    const place = ['group', 'version', 'resource', 'subresource', 'scope', 'component'];
    expect(metrics.labels('apiserver_request_total')).toEqual(['verb', 'dry_run', ...place, 'code']);
    expect(metrics.labels('apiserver_request_duration_seconds_count')).toEqual(['verb', 'dry_run', ...place]);
    expect(metrics.labels('apiserver_request_sli_duration_seconds_count')).toEqual(['verb', ...place]);
    expect(metrics.labels('apiserver_response_sizes_count')).toEqual(['verb', ...place]);
    expect(metrics.labels('apiserver_longrunning_requests')).toEqual(['verb', ...place]);
    expect(metrics.value('apiserver_current_inflight_requests', { request_kind: 'readOnly' })).toBeGreaterThan(0);
    const { text } = metrics;
    expect(text).toMatch(/apiserver_request_duration_seconds_bucket\{.*,le="0.005"\} /);
    expect(text).toMatch(/kubernetes_build_info\{major="1",minor="36",.*\} 1/);
    expect(text).toContain('kubernetes_feature_enabled{name="WatchList",stage=""} 1');
  });
});

describe('what is behind requests', () => {
  const namesOf = async () => (await ScrapedMetrics.of(api)).names;

  it('counts operations of the store', async () => {
    const labels = (operation: string) => ({ operation, group: '', resource: 'configmaps' });
    const path = `${configMaps}/stored`;
    const create = () => api.post(configMaps, configMap('stored'));
    expect(await added('etcd_requests_total', labels('create'), create)).toBe(1);
    const update = () => api.call('PUT', path, { body: { ...configMap('stored'), data: { a: 'b' } } });
    expect(await added('etcd_request_duration_seconds_count', labels('update'), update)).toBe(1);
    expect(await added('etcd_requests_total', labels('delete'), () => api.call('DELETE', path))).toBe(1);
    expect((await ScrapedMetrics.of(api)).labels('etcd_requests_total')).toEqual(['operation', 'group', 'resource']);
  });

  it('counts objects, those of types that nobody has read included', async () => {
    const labels = { group: '', resource: 'configmaps' };
    expect(await added('apiserver_resource_objects', labels, () => api.post(configMaps, configMap('one')))).toBe(1);
    const metrics = await ScrapedMetrics.of(api);
    expect(metrics.value('apiserver_storage_objects', { resource: 'configmaps' })).toBe(
      metrics.value('apiserver_resource_objects', labels),
    );
    expect(metrics.text).toContain('apiserver_resource_objects{group="apps",resource="daemonsets"} 0');
  });

  it('counts what the watch cache gets and gives', async () => {
    const labels = { group: '', resource: 'configmaps' };
    const change = () => api.post(configMaps, configMap('cached'));
    expect(await added('apiserver_watch_cache_events_received_total', labels, change)).toBe(1);
    const list = () => api.get(`${configMaps}?labelSelector=no=one`);
    expect(await added('apiserver_cache_list_total', labels, list)).toBe(1);
    expect(await added('apiserver_cache_list_returned_objects_total', labels, list)).toBe(0);
    const present = (await api.get(configMaps)).body.items.length;
    expect(await added('apiserver_cache_list_fetched_objects_total', labels, list)).toBe(present);
  });

  it('counts events of watches and measures them', async () => {
    const labels = { group: '', version: 'v1', resource: 'configmaps' };
    const present = (await api.get(configMaps)).body.items.length;
    const watch = () => api.get(`${configMaps}?watch=1&timeoutSeconds=1`);
    expect(await added('apiserver_watch_events_total', labels, watch)).toBe(present);
    expect(await added('apiserver_watch_events_sizes_count', labels, watch)).toBe(present);
    const listed = `${configMaps}?watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`;
    const scope = { ...labels, scope: 'namespace' };
    expect(await added('apiserver_watch_list_duration_seconds_count', scope, () => api.get(listed))).toBe(1);
  });

  it('counts authentication and authorization', async () => {
    const bad = { headers: { authorization: 'Bearer x' }, credentials: false };
    const refused = () => api.call('GET', configMaps, bad);
    expect(await added('authentication_attempts', { result: 'failure' }, refused)).toBe(1);
    const allowed = () => api.get(configMaps);
    // The scrapes are counted as well.
    expect(await added('authentication_attempts', { result: 'success' }, allowed)).toBe(2);
    expect(await added('authorization_attempts_total', { result: 'allowed' }, allowed)).toBe(2);
    const denied = () => api.call('GET', configMaps, { headers: { 'impersonate-user': 'nobody' } });
    expect(await added('authorization_attempts_total', { result: 'no-opinion' }, denied)).toBe(1);
  });

  it('counts reads of users in turn, for each of them', async () => {
    const accounts = '/api/v1/namespaces/kube-system/serviceaccounts';
    await api.post(accounts, { metadata: { name: 'default' } });
    await api.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'kube-system', name: 'default' }],
    });
    const { token } = (await api.post(`${accounts}/default/token`, {})).body.status;
    const asAccount = { headers: { authorization: `Bearer ${token}` }, credentials: false };
    await api.post(configMaps, configMap('read-in-turn'));
    const read = `${configMaps}/read-in-turn`;
    const users = {
      'system:serviceaccount:kube-system:default': () => api.call('GET', read, asAccount),
      other: () => api.get(read),
    };
    const order = [users.other, ...Object.values(users), ...Object.values(users)];
    const counts = async () => {
      const before = await ScrapedMetrics.of(api);
      for (const get of order) expect((await get()).status).toBe(200);
      const after = await ScrapedMetrics.of(api);
      const grown = (name: string, labels: Record<string, string>) =>
        after.value(name, labels) - before.value(name, labels);
      return {
        byUser: Object.keys(users).map((username) => grown('authenticated_user_requests', { username })),
        allowed: grown('authorization_attempts_total', { result: 'allowed' }),
        reads: grown('apiserver_request_total', { ...ofConfigMaps, verb: 'GET', scope: 'resource', code: '200' }),
      };
    };
    // One of the two scrapes is counted as well. Repeated, because controllers send requests too.
    await expect.poll(counts).toEqual({ byUser: [2, 3 + 1], allowed: 5 + 1, reads: 5 });
  });

  it('measures admission', async () => {
    const name = 'apiserver_admission_controller_admission_duration_seconds_count';
    const labels = { name: 'NamespaceLifecycle', type: 'validate', operation: 'CREATE', rejected: 'false' };
    const create = () => api.post(configMaps, configMap('admitted'));
    const create2 = () => api.post('/api/v1/namespaces/nowhere/configmaps', configMap('a'));
    expect(await added(name, { ...labels, type: 'admit' }, create)).toBe(1);
    expect(await added(name, { ...labels, type: 'admit', rejected: 'true' }, create2)).toBe(1);
    const step = { type: 'admit', operation: 'CREATE', rejected: 'true' };
    const steps = 'apiserver_admission_step_admission_duration_seconds_count';
    expect(await added(steps, step, create2)).toBe(1);
  });

  it('has the names of kube-apiserver', async () => {
    const names = await namesOf();
    const expected = [
      'apiserver_authorization_decisions_total',
      'apiserver_cache_list_total',
      'apiserver_current_inflight_requests',
      'apiserver_init_events_total',
      'apiserver_longrunning_requests',
      'apiserver_request_body_size_bytes',
      'apiserver_request_duration_seconds',
      'apiserver_request_sli_duration_seconds',
      'apiserver_request_slo_duration_seconds',
      'apiserver_request_total',
      'apiserver_response_sizes',
      'apiserver_selfrequest_total',
      'apiserver_storage_events_received_total',
      'apiserver_storage_objects',
      'apiserver_tls_handshake_errors_total',
      'apiserver_watch_cache_events_dispatched_total',
      'apiserver_watch_cache_initializations_total',
      'apiserver_watch_events_total',
      'authenticated_user_requests',
      'authentication_duration_seconds',
      'authorization_duration_seconds',
      'nodejs_heap_size_used_bytes',
      'process_cpu_seconds_total',
    ];
    expect(expected.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('/metrics', () => {
  it('has the text format of Prometheus, or OpenMetrics', async () => {
    const { headers, text } = await api.get('/metrics');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
    expect(text).toContain('# TYPE apiserver_request_total counter');
    const open = await api.call('GET', '/metrics', { headers: { accept: 'application/openmetrics-text' } });
    expect(open.headers['content-type']).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores',
    );
    expect(open.text).toContain('# TYPE apiserver_request counter');
    expect(open.text.endsWith('# EOF\n')).toBe(true);
  });

  it('is for those who have the permission', async () => {
    expect((await api.call('GET', '/metrics', { credentials: false })).status).toBe(401);
    expect((await api.get('/')).body.paths).toEqual(expect.arrayContaining(['/metrics', '/metrics/slis']));
  });

  it('shows the outcomes of health checks', async () => {
    const before = await ScrapedMetrics.of(api, '/metrics/slis');
    await api.get('/readyz');
    const slis = await ScrapedMetrics.of(api, '/metrics/slis');
    expect(slis.value('kubernetes_healthcheck', { name: 'ping', type: 'readyz' })).toBe(1);
    const etcd = { name: 'etcd', type: 'readyz', status: 'success' };
    const total = 'kubernetes_healthchecks_total';
    expect(slis.value(total, etcd)).toBe(before.value(total, etcd) + 1);
    expect(slis.labels('kubernetes_healthchecks_total')).toEqual(['name', 'type', 'status']);
  });

  it('is reset by a DELETE', async () => {
    await api.get(configMaps);
    expect(await api.call('DELETE', '/metrics')).toMatchObject({ status: 200, text: 'metrics reset\n' });
    const metrics = await ScrapedMetrics.of(api);
    expect(metrics.value('apiserver_request_total', { ...ofConfigMaps, verb: 'LIST' })).toBe(0);
    expect(metrics.value('kubernetes_build_info')).toBe(1);
  });
});
