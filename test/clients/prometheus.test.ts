import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fetchedPrometheus } from '../../scripts/test-clients/prometheus.ts';
import { TestApi } from '../wire/api.ts';
import { RunningPrometheus } from './running-prometheus.ts';

const programs = fetchedPrometheus();
/**
 * Metric names of kube-apiserver that promtool reports: counters without `_total`, or with the suffix of a histogram.
 * promtool has no option to accept them.
 */
const fixedNames = [
  'apiserver_admission_webhook_fail_open_count',
  'apiserver_admission_webhook_rejection_count',
  'authenticated_user_requests',
  'authentication_attempts',
];

describe.skipIf(programs === undefined)('Prometheus', () => {
  const { prometheus, promtool } = programs ?? { prometheus: '', promtool: '' };
  let api: TestApi;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-prometheus-'));
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, 'scraper-token,scraper,1\n');
    api = await TestApi.start({ tokenAuthFile: tokens, controllers: ['*'] });
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    const { status } = await api.post(path, {
      metadata: { name: 'scraper' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:monitoring' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'scraper' }],
    });
    expect(status).toBe(200);
  });
  afterAll(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['/metrics', '/metrics/slis'])('accepts the text of %s', async (path) => {
    await api.get('/readyz');
    for (const failurePolicy of ['Fail', 'Ignore']) await callMissingWebhook(api, failurePolicy);
    const { text } = await api.get(path);
    const check = (input: string) => spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' });
    const isFixed = (line: string) => fixedNames.includes(/^(?:# [A-Z]+ )?(\w+)/.exec(line)?.[1] ?? '');
    const lines = text.split('\n');
    const { status, stdout, stderr } = check(lines.filter((line) => !isFixed(line)).join('\n'));
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    // The metrics are well-formed: promtool only reports their names.
    const complaints = check(text)
      .stderr.split('\n')
      .filter((line) => line !== '');
    const present = fixedNames.filter((name) => text.includes(`# TYPE ${name} `));
    expect([...new Set(complaints.map((line) => line.split(' ')[0]))].sort()).toEqual(present);
  });

  it('reads a server over TLS with a token, and answers queries', async () => {
    const caFile = join(folder, 'ca.crt');
    writeFileSync(caFile, api.tls.ca);
    const target = { host: new URL(api.server.url).host, caFile, token: 'scraper-token' };
    const running = await RunningPrometheus.start({ program: prometheus, folder, target });
    onTestFinished(() => running.stop());
    const configMaps = '/api/v1/namespaces/default/configmaps';
    for (let count = 0; count < 7; count++) await api.get(configMaps);
    await api.get('/readyz');
    const value = async (expression: string) => {
      const samples = await running.query(expression);
      return samples.length === 0 ? undefined : Number(samples[0]!.value[1]);
    };
    await expect.poll(() => value('min(up)')).toBe(1);
    const lists = 'sum(apiserver_request_total{verb="LIST",resource="configmaps",code="200"})';
    await expect.poll(() => value(lists)).toBe(7);
    await expect.poll(() => value('min(kubernetes_healthcheck{type="readyz"})')).toBe(1);
    // A quantile needs two scrapes with requests in between.
    const quantile =
      'histogram_quantile(0.99, sum by (le) (rate(apiserver_request_duration_seconds_bucket{verb="LIST"}[1m])))';
    await expect
      .poll(async () => {
        await api.get(configMaps);
        return value(quantile);
      })
      .toBeGreaterThan(0);
  });

  it('understands every query of the dashboard', async () => {
    const dashboard = JSON.parse(readFileSync(new URL('../../dashboards/keelson.json', import.meta.url), 'utf8'));
    const expressions: string[] = dashboard.panels
      .flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets)
      .map(({ expr }: { expr: string }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'));
    expect(expressions.length).toBeGreaterThan(10);
    const rules = join(folder, 'rules.yml');
    const named = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
    writeFileSync(rules, JSON.stringify({ groups: [{ name: 'dashboard', rules: named }] }));
    const { status, stderr } = spawnSync(promtool, ['check', 'rules', rules], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const names = new Set(expressions.flatMap((expr) => expr.match(/\b[a-z]+(_[a-z0-9]+)+\b(?=\{)/g) ?? []));
    // These metrics appear when they first have a value.
    for (const name of [
      'apiserver_admission_webhook_admission_duration_seconds_bucket',
      'apiserver_flowcontrol_rejected_requests_total',
    ]) {
      names.delete(name);
    }
    const missing = async () => {
      const texts = await Promise.all(['/metrics', '/metrics/slis'].map((path) => api.get(path)));
      const text = texts.map((response) => response.text).join('');
      return [...names].filter((name) => !text.includes(`# TYPE ${name.replace(/_(bucket|sum|count)$/, '')} `));
    };
    await api.get('/readyz');
    await api.get('/api/v1/namespaces?watch=1&timeoutSeconds=1');
    await expect.poll(missing).toEqual([]);
  });
});

/**
 * Calls a webhook that does not exist. The failure policy rejects the request or ignores the failure. Both are counted.
 */
async function callMissingWebhook(api: TestApi, failurePolicy: string): Promise<void> {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const name = failurePolicy.toLowerCase();
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  await api.post(path, {
    metadata: { name },
    webhooks: [
      {
        name: `${name}.hook.example`,
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [rule],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy,
      },
    ],
  });
  const { status } = await api.post('/api/v1/namespaces/default/configmaps', { metadata: { generateName: 'c-' } });
  expect(status).toBe(failurePolicy === 'Fail' ? 500 : 200);
  await api.delete(`${path}/${name}`);
}
