import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { TraceCollector } from './trace-collector.ts';
import { configMapRule, configurationsPath } from './webhook-configurations.ts';
import { WebhookServer } from './webhook-server.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const path = '/api/v1/namespaces/default/configmaps';

/**
 * Sends requests to a server with tracing. Returns the spans that its collector has received when the server has
 * stopped.
 */
async function traced(rate: number, requests: (api: TestApi) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-tracing-'));
  const collector = new TraceCollector();
  onTestFinished(() => {
    collector.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await collector.start();
  const tracingConfigFile = join(folder, 'tracing.yaml');
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'TracingConfiguration',
    endpoint: `127.0.0.1:${collector.port}`,
    samplingRatePerMillion: rate,
  };
  writeFileSync(tracingConfigFile, JSON.stringify(configuration));
  const api = await TestApi.start({ tracingConfigFile });
  try {
    await requests(api);
  } finally {
    await api.stop();
  }
  return collector.spans;
}

it('traces the requests of clients that ask for it, with their stages', async () => {
  const spans = await traced(0, async (api) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const headers = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'a=b', 'user-agent': 'tester/1' };
    await api.call('POST', path, { body, headers });
    await api.get(`${path}/a`);
    await api.call('GET', `${path}/a`, { headers: { traceparent: `00-${traceId}-${spanId}-00` } });
  });
  expect(spans.map(({ name }) => name)).toEqual([
    'POST /api/v1/namespaces/{:namespace}/configmaps',
    'body',
    'storage',
    'response',
  ]);
  const [request, ...stages] = spans;
  expect(request).toMatchObject({ traceId, parentSpanId: spanId, traceState: 'a=b', kind: 2, status: 0, links: [] });
  expect(request!.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': '200',
    'url.path': path,
    'user_agent.original': 'tester/1',
  });
  expect(request!.resource).toMatchObject({ 'service.name': 'apiserver' });
  for (const stage of stages) {
    expect(stage).toMatchObject({ traceId, parentSpanId: request!.spanId, kind: 1 });
    expect(stage.start).toBeGreaterThanOrEqual(request!.start);
    expect(stage.end).toBeLessThanOrEqual(request!.end);
  }
  expect(Math.abs(request!.end / 1e6 - Date.now())).toBeLessThan(60 * 60_000);
});

it('passes traces on to webhooks', async () => {
  const webhooks = await WebhookServer.start();
  onTestFinished(() => webhooks.stop());
  let passed: (string | undefined)[] = [];
  const spans = await traced(0, async (api) => {
    const hook = { name: 'traced.hook.example', sideEffects: 'None', admissionReviewVersions: ['v1'] };
    await api.post(configurationsPath('validating'), {
      metadata: { name: 'traced' },
      webhooks: [{ ...hook, rules: [configMapRule], clientConfig: webhooks.clientConfigFor('respond') }],
    });
    const headers = { traceparent: `00-${traceId}-${spanId}-01` };
    await api.call('POST', path, { body: { metadata: { name: 'traced' } }, headers });
    await api.call('POST', path, { body: { metadata: { name: 'untraced' } } });
    passed = (await webhooks.take()).map((review) => review.headers.traceparent as string | undefined);
  });
  expect(passed[0]).toBe(`00-${traceId}-${spans[0]!.spanId}-01`);
  expect(passed[1]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  expect(passed[1]).not.toContain(traceId);
});

it('does not let other clients decide, but links to their traces', async () => {
  const spans = await traced(1_000_000, async (api) => {
    await api.call('GET', '/livez', { headers: { traceparent: `00-${traceId}-${spanId}-01` }, credentials: false });
  });
  const found = spans.find(({ name }) => name === 'GET /livez')!;
  expect(found.traceId).not.toBe(traceId);
  expect(found).toMatchObject({ parentSpanId: '', links: [{ traceId, spanId }] });
});

it('says at the start what is wrong with the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-tracing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'tracing.yaml');
  await expect(TestApi.start({ tracingConfigFile: file })).rejects.toThrow(/tracing-config-file: ENOENT/);
  writeFileSync(file, 'kind: Other');
  await expect(TestApi.start({ tracingConfigFile: file })).rejects.toThrow(/tracing configuration: must be of kind/);
});
