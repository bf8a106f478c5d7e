import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { definitionOf, definitions } from './custom-types.ts';
import { ExtensionServer, fruitsService, untilCondition } from './extension-server.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const label = 'kube-aggregator.kubernetes.io/automanaged';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function present(name: string): Promise<any> {
  const { status, body } = await api.get(`${apiServices}/${name}`);
  return status === 404 ? undefined : body;
}

describe('the APIServices of the types of the server', () => {
  it('exist from the start and are available', async () => {
    const { body } = await api.get(apiServices);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    const listed = body.items.map(({ metadata, spec }: any) => [
      metadata.name,
      spec.groupPriorityMinimum,
      spec.versionPriority,
    ]);
    expect(listed).toHaveLength(21);
    expect(listed).toContainEqual(['v1.', 18000, 1]);
    expect(listed).toContainEqual(['v1.apps', 17800, 15]);
    expect(listed).toContainEqual(['v2.autoscaling', 17500, 30]);
    expect(body.items[0].metadata.labels).toEqual({ [label]: 'onstart' });
    expect(body.items[0].status.conditions).toMatchObject([{ type: 'Available', status: 'True', reason: 'Local' }]);
  });

  it('are left alone until the next start when they are edited or deleted', async () => {
    await api.patch(`${apiServices}/v1.batch`, { spec: { versionPriority: 16 } });
    await api.delete(`${apiServices}/v1.policy`);
    expect((await present('v1.batch')).spec.versionPriority).toBe(16);
    expect(await present('v1.policy')).toBeUndefined();
    expect((await api.get('/apis/policy/v1/poddisruptionbudgets')).status).toBe(200);
  });
});

it("the APIServices of built-in types are restored at the next start, unless they are a user's", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-api-services-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await TestApi.start({ storage: 'embedded', dataDir });
  await first.patch(`${apiServices}/v1.batch`, { spec: { versionPriority: 16 } });
  await first.patch(`${apiServices}/v1.apps`, { metadata: { labels: null }, spec: { versionPriority: 16 } });
  await first.delete(`${apiServices}/v1.policy`);
  await first.stop();

  const second = await TestApi.start({ storage: 'embedded', dataDir, runtimeConfig: 'node.k8s.io/v1=false' });
  onTestFinished(() => second.stop());
  const priority = async (name: string) => (await second.get(`${apiServices}/${name}`)).body.spec?.versionPriority;
  expect(await priority('v1.batch')).toBe(15);
  expect(await priority('v1.policy')).toBe(15);
  expect(await priority('v1.apps')).toBe(16);
  expect((await second.get(`${apiServices}/v1.node.k8s.io`)).status).toBe(404);
  expect((await second.get('/readyz')).text).toBe('ok');
});

describe('the APIServices of custom types', () => {
  const definition = (singular: string, version: string) =>
    definitionOf({ singular, group: 'tools.example.com', versions: [version] });

  it('come, are restored, and go with their definitions', async () => {
    await api.post(definitions, definition('hammer', 'v1'));
    await expect
      .poll(() => present('v1.tools.example.com'))
      .toMatchObject({
        metadata: { labels: { [label]: 'true' } },
        spec: { group: 'tools.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
        status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
      });
    await api.patch(`${apiServices}/v1.tools.example.com`, { spec: { versionPriority: 7 } });
    await expect.poll(async () => (await present('v1.tools.example.com')).spec.versionPriority).toBe(100);
    const { uid } = (await present('v1.tools.example.com')).metadata;
    await api.delete(`${apiServices}/v1.tools.example.com`);
    await expect.poll(async () => (await present('v1.tools.example.com'))?.metadata.uid ?? uid).not.toBe(uid);

    await api.post(definitions, definition('saw', 'v2'));
    await expect.poll(() => present('v2.tools.example.com')).toBeDefined();
    await api.delete(`${definitions}/hammers.tools.example.com`);
    await expect.poll(() => present('v1.tools.example.com')).toBeUndefined();
    expect(await present('v2.tools.example.com')).toBeDefined();
  });

  it('belong to a user who takes the label away', async () => {
    await api.post(definitions, definition('drill', 'v3'));
    await expect.poll(() => present('v3.tools.example.com')).toBeDefined();
    await api.patch(`${apiServices}/v3.tools.example.com`, {
      metadata: { labels: null },
      spec: { versionPriority: 7 },
    });
    await api.delete(`${definitions}/drills.tools.example.com`);
    await api.post(definitions, definition('plane', 'v4'));
    await expect.poll(() => present('v4.tools.example.com')).toBeDefined();
    expect((await present('v3.tools.example.com')).spec.versionPriority).toBe(7);
  });
});

describe('the condition of an APIService of another server', () => {
  let extension: ExtensionServer;

  beforeAll(async () => {
    extension = await ExtensionServer.start(api);
  });
  afterAll(() => extension.stop());

  it('says what is missing, one thing after the other', async () => {
    const services = '/api/v1/namespaces/default/services';
    const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
    await api.post(apiServices, { metadata: { name: 'v1.fruits.example.com' }, spec: extension.spec });
    await untilCondition(api, 'False ServiceNotFound: service/fruits in "default" is not present');

    const { port } = extension;
    await api.post(services, { metadata: { name: 'fruits' }, spec: { ports: [{ port: 1, name: 'web' }] } });
    await untilCondition(api, `False ServicePortError: service/fruits in "default" is not listening on port ${port}`);

    await api.patch(`${services}/fruits`, { spec: { ports: [{ port, name: 'web' }] } });
    await untilCondition(api, 'False EndpointsNotFound: cannot find endpointslices for service/fruits in "default"');

    await api.post(slices, {
      metadata: { name: 'fruits-1', labels: { 'kubernetes.io/service-name': 'fruits' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: false } }],
      ports: [{ name: 'web', port: 1 }],
    });
    await untilCondition(
      api,
      'False MissingEndpoints: endpointslices for service/fruits in "default" have no addresses with port name "web"',
    );

    await api.delete(`${services}/fruits`);
    await untilCondition(api, 'False ServiceNotFound');
    await extension.createService(api);
    await untilCondition(api, 'True Passed: all checks passed');

    const [request] = await extension.take();
    expect(request).toMatchObject({
      method: 'GET',
      url: '/apis/fruits.example.com/v1',
      client: 'front-proxy-client',
      headers: { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': 'system:masters' },
    });

    const { body } = await api.get(fruitsService);
    await api.patch(fruitsService, { spec: { caBundle: null } });
    await untilCondition(api, 'tls: failed to verify certificate: x509: certificate signed by unknown authority');
    await api.patch(fruitsService, { spec: { insecureSkipTLSVerify: true } });
    await untilCondition(api, 'True Passed: all checks passed');
    await extension.mode('failing');
    await api.patch(fruitsService, { spec: { versionPriority: 16 } });
    await untilCondition(
      api,
      /^False FailedDiscoveryCheck: failing or missing response from \S+: bad status from \S+: 500$/,
    );

    // From now on, the server itself serves the group.
    await api.put(fruitsService, {
      ...(await api.get(fruitsService)).body,
      spec: { ...body.spec, service: undefined, caBundle: undefined },
    });
    await untilCondition(api, 'True Local: Local APIServices are always available');
  });
});
