import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startJsonServer } from '../../src/client/test-json-server.conformance.ts';
import type { ServerOptions } from '../../src/index.ts';
import { TestApi } from './api.ts';
import { kubeconfigFor } from './kubeconfig-for.ts';
import { warningsOf } from './warnings-of.ts';

const pods = '/api/v1/namespaces/default/pods';
const pod = (spec: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

async function startWith(options: ServerOptions): Promise<TestApi> {
  const api = await TestApi.start(options);
  onTestFinished(() => api.stop());
  return api;
}

const off = (...more: string[]): string[] => ['ServiceAccount', ...more];

describe('plugins', () => {
  it('can be disabled', async () => {
    const api = await startWith({ disableAdmissionPlugins: off('DefaultTolerationSeconds', 'NamespaceLifecycle') });
    expect((await api.post(`${pods}?dryRun=All`, pod())).body.spec.tolerations).toBeUndefined();
    expect((await api.post('/api/v1/namespaces/none/configmaps', { metadata: { name: 'a' } })).status).toBe(200);
  });

  it.each<[options: ServerOptions, message: string]>([
    [{ enableAdmissionPlugins: ['Gadget'] }, 'enable-admission-plugins plugin "Gadget" is unknown'],
    [
      { enableAdmissionPlugins: ['Priority'], disableAdmissionPlugins: ['Priority'] },
      '[Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
    [{ admissionControlConfigFile: '/missing' }, 'admission-control-config-file: ENOENT'],
    [{ enableAdmissionPlugins: ['EventRateLimit'] }, 'EventRateLimit: limits: Invalid value'],
  ])('keep the server from starting: %j', async (options, message) => {
    await expect(TestApi.start(options)).rejects.toThrow(message);
  });
});

describe('plugins that are off by default', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start({
      enableAdmissionPlugins: [
        'AlwaysAdmit',
        'AlwaysPullImages',
        'DenyServiceExternalIPs',
        'ExtendedResourceToleration',
        'LimitPodHardAntiAffinityTopology',
        'NamespaceAutoProvision',
        'NamespaceExists',
        'OwnerReferencesPermissionEnforcement',
        'PodNodeSelector',
        'PodTolerationRestriction',
      ],
    });
  });
  afterAll(() => api.stop());

  it('AlwaysPullImages', async () => {
    const { body } = await api.post(
      `${pods}?dryRun=All`,
      pod({ containers: [{ name: 'c', image: 'i:1', imagePullPolicy: 'Never' }] }),
    );
    expect(body.spec.containers[0].imagePullPolicy).toBe('Always');
  });

  it('DenyServiceExternalIPs', async () => {
    const service = (externalIPs: string[]) => ({
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }], externalIPs },
    });
    const { body } = await api.post('/api/v1/namespaces/default/services', service(['1.2.3.4']));
    expect(body.message).toBe('services "s" is forbidden: Use of external IPs is denied by admission control');
    expect((await api.post('/api/v1/namespaces/default/services?dryRun=All', service([]))).status).toBe(200);
  });

  it('NamespaceAutoProvision', async () => {
    const path = '/api/v1/namespaces/provided/configmaps';
    expect((await api.post(`${path}?dryRun=All`, { metadata: { name: 'a' } })).status).toBe(404);
    expect((await api.post(path, { metadata: { name: 'a' } })).status).toBe(200);
    const { body } = await api.get('/api/v1/namespaces/provided');
    expect(body).toMatchObject({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
    expect(
      (await api.post('/api/v1/namespaces/Not_A_Name/configmaps', { metadata: { name: 'a' } })).body.message,
    ).toContain('configmaps "a" is forbidden: Namespace "Not_A_Name" is invalid: metadata.name: Invalid value');
  });

  it('PodNodeSelector and PodTolerationRestriction', async () => {
    const annotations = {
      'scheduler.alpha.kubernetes.io/node-selector': 'disk=fast',
      'scheduler.alpha.kubernetes.io/defaultTolerations': '[{"key":"k","operator":"Exists"}]',
    };
    await api.post('/api/v1/namespaces', { metadata: { name: 'placed', annotations } });
    const { body } = await api.post('/api/v1/namespaces/placed/pods', pod());
    expect(body.spec.nodeSelector).toEqual({ disk: 'fast' });
    expect(body.spec.tolerations).toContainEqual({ key: 'k', operator: 'Exists' });
    expect(Object.keys(body.spec).indexOf('nodeSelector')).toBeLessThan(
      Object.keys(body.spec).indexOf('schedulerName'),
    );
  });

  it('ExtendedResourceToleration', async () => {
    const resources = { limits: { 'example.com/gpu': '1' } };
    const { body } = await api.post(`${pods}?dryRun=All`, pod({ containers: [{ name: 'c', image: 'i', resources }] }));
    expect(body.spec.tolerations).toContainEqual({ key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' });
  });

  it('OwnerReferencesPermissionEnforcement lets an administrator set any owner', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Lost', name: 'x', uid: 'u', blockOwnerDeletion: true }];
    const { status } = await api.post('/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'owned', ownerReferences },
    });
    expect(status).toBe(200);
  });
});

it('AlwaysDeny denies all modifications', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-denied-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  // The first server creates the objects that a server needs, with the right port.
  const first = await TestApi.start({ storage: 'embedded', dataDir });
  const securePort = Number(new URL(first.server.url).port);
  await first.stop();
  const api = await startWith({ storage: 'embedded', dataDir, securePort, enableAdmissionPlugins: ['AlwaysDeny'] });
  expect((await api.get('/api/v1/namespaces/default')).status).toBe(200);
  const denial = 'is forbidden: admission control is denying all modifications';
  const path = '/api/v1/namespaces/default';
  const created = await api.post(`${path}/configmaps`, { metadata: { name: 'a' } });
  expect([created.status, created.body.message]).toEqual([403, `configmaps "a" ${denial}`]);
  expect((await api.patch(path, { metadata: { labels: { a: 'b' } } })).body.message).toBe(
    `namespaces "default" ${denial}`,
  );
  expect((await api.delete(`${path}/services/kubernetes`)).body.message).toBe(`services "kubernetes" ${denial}`);
});

describe('a configuration', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'keelson-plugins-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  async function configured(plugins: object[], options: ServerOptions = {}): Promise<TestApi> {
    const file = join(directory, 'admission.yaml');
    const document = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins };
    await writeFile(file, JSON.stringify(document));
    return startWith({ ...options, admissionControlConfigFile: file });
  }

  it('applies PodSecurity to namespaces without labels', async () => {
    const configuration = {
      apiVersion: 'pod-security.admission.config.k8s.io/v1',
      kind: 'PodSecurityConfiguration',
      defaults: { enforce: 'baseline', warn: 'restricted' },
      exemptions: { namespaces: ['kube-system'] },
    };
    const api = await configured([{ name: 'PodSecurity', configuration }]);
    const refused = await api.post(`${pods}?dryRun=All`, pod({ hostNetwork: true }));
    expect(refused.body.message).toBe(
      'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    );
    expect(warningsOf((await api.post(`${pods}?dryRun=All`, pod())).headers)).toEqual([
      expect.stringContaining('would violate PodSecurity "restricted:latest"'),
    ]);
    const exempt = await api.post('/api/v1/namespaces/kube-system/pods?dryRun=All', pod({ hostNetwork: true }));
    expect(exempt.status).toBe(200);
  });

  it('limits events with EventRateLimit, and nothing else', async () => {
    const configuration = {
      apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      limits: [{ type: 'Namespace', qps: 1, burst: 1 }],
    };
    const api = await configured([{ name: 'EventRateLimit', configuration }], {
      enableAdmissionPlugins: ['EventRateLimit'],
    });
    const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
    const send = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          api.post('/api/v1/namespaces/default/events', { metadata: { name: `e${index}` }, involvedObject }),
        ),
      );
    const responses = await send(50);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      reason: 'TooManyRequests',
      message: 'limit reached on type Namespace for key default',
    });
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    expect((await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } })).status).toBe(200);
  });

  it('requires a quota with ResourceQuota', async () => {
    const configuration = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'ResourceQuotaConfiguration',
      limitedResources: [{ resource: 'pods', matchContains: ['count/pods'] }],
    };
    const api = await configured([{ name: 'ResourceQuota', configuration }]);
    expect((await api.post(pods, pod())).body.message).toBe(
      'pods "p" is forbidden: insufficient quota to consume: count/pods',
    );
    const quotas = '/api/v1/namespaces/default/resourcequotas';
    await api.post(quotas, { metadata: { name: 'q' }, spec: { hard: { 'count/pods': '1' } } });
    await api.patch(`${quotas}/q/status`, { status: { hard: { 'count/pods': '1' }, used: { 'count/pods': '0' } } });
    expect((await api.post(pods, pod())).status).toBe(200);
  });

  it('names the backend of ImagePolicyWebhook', async () => {
    const review = { apiVersion: 'imagepolicy.k8s.io/v1alpha1', kind: 'ImageReview' };
    const backend = await startJsonServer({
      responses: [{ ...review, status: { allowed: false, reason: 'too old' } }],
    });
    await writeFile(join(directory, 'images.kubeconfig'), kubeconfigFor(backend));
    const configuration = { imagePolicy: { kubeConfigFile: 'images.kubeconfig' } };
    const api = await configured([{ name: 'ImagePolicyWebhook', configuration }], {
      enableAdmissionPlugins: ['ImagePolicyWebhook'],
    });
    const { body } = await api.post(pods, pod());
    expect(body).toMatchObject({
      code: 403,
      message: 'pods "p" is forbidden: image policy webhook backend denied one or more images: too old',
    });
    const spec = { containers: [{ image: 'i' }], namespace: 'default' };
    expect(backend.seen.map((request) => request.body)).toEqual([{ ...review, metadata: {}, spec, status: {} }]);
  });
});
