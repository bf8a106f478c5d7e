import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await api.post('/api/v1/namespaces', { metadata: { name: 'limited' } });
});
afterAll(() => api.stop());

const container = { name: 'c', image: 'example.com/c:1' };

async function pod(name: string, spec: object = {}, namespace = 'default') {
  return api.post(`/api/v1/namespaces/${namespace}/pods?dryRun=All`, {
    metadata: { name },
    spec: { containers: [container], ...spec },
  });
}

describe('pods', () => {
  it('tolerate unreachable nodes for a while', async () => {
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    const added = { ...own, key: 'node.kubernetes.io/unreachable', tolerationSeconds: 300 };
    expect((await pod('a')).body.spec.tolerations).toEqual([{ ...own, tolerationSeconds: 300 }, added]);
    expect((await pod('a', { tolerations: [own] })).body.spec.tolerations).toEqual([own, added]);
    expect((await pod('a', { tolerations: [{ operator: 'Exists' }] })).body.spec.tolerations).toHaveLength(1);
  });

  it('have the priority of their class', async () => {
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    expect((await pod('a')).body.spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
    expect((await pod('a', { priorityClassName: 'system-node-critical' })).body.spec.priority).toBe(2_000_001_000);
    await api.post(classes, { metadata: { name: 'usual' }, value: 7, globalDefault: true, preemptionPolicy: 'Never' });
    expect((await pod('a')).body.spec).toMatchObject({
      priorityClassName: 'usual',
      priority: 7,
      preemptionPolicy: 'Never',
    });
    const second = await api.post(classes, { metadata: { name: 'second' }, value: 8, globalDefault: true });
    expect(second.body).toMatchObject({
      code: 403,
      message:
        'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    });
    await api.delete(`${classes}/usual`);
  });

  it.each([
    [{ priorityClassName: 'none' }, 'no PriorityClass with name none was found'],
    [{ priority: 5 }, 'the integer value of priority (5) must not be provided in pod spec'],
    [{ preemptionPolicy: 'Never' }, 'the string value of PreemptionPolicy (Never) must not be provided in pod spec'],
    [{ runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
    [{ overhead: { cpu: '1' } }, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'],
  ])('are refused: %j', async (spec, message) => {
    const { status, body } = await pod('refused', spec);
    expect(status).toBe(403);
    expect(body.message).toContain(`pods "refused" is forbidden: ${message}`);
  });

  it('get the overhead of their runtime class', async () => {
    await api.post('/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name: 'vm' },
      handler: 'vm',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    });
    const { body } = await pod('a', { runtimeClassName: 'vm', nodeSelector: { zone: 'a' } });
    expect(body.spec).toMatchObject({ overhead: { cpu: '100m' }, nodeSelector: { vm: 'yes', zone: 'a' } });
    expect(body.spec.tolerations).toContainEqual({ key: 'vm', operator: 'Exists' });
    expect((await pod('a', { runtimeClassName: 'vm', overhead: { cpu: '0.1' } })).status).toBe(200);
    expect((await pod('a', { runtimeClassName: 'vm', overhead: { cpu: '1' } })).body.message).toContain(
      "Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    );
    expect((await pod('a', { runtimeClassName: 'vm', nodeSelector: { vm: 'no' } })).body.message).toContain(
      'conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
    );
  });
});

describe('limit ranges', () => {
  beforeAll(() =>
    api.post('/api/v1/namespaces/limited/limitranges', {
      metadata: { name: 'limits' },
      spec: {
        limits: [
          {
            type: 'Container',
            min: { cpu: '50m' },
            max: { cpu: '1', memory: '1Gi' },
            default: { cpu: '500m', memory: '256Mi' },
            defaultRequest: { cpu: '100m' },
            maxLimitRequestRatio: { cpu: '8' },
          },
          { type: 'Pod', max: { cpu: '2' } },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
        ],
      },
    }),
  );

  it('set defaults of containers', async () => {
    const { body } = await pod('a', {}, 'limited');
    expect(body.spec.containers[0].resources).toEqual({
      limits: { cpu: '500m', memory: '256Mi' },
      requests: { cpu: '100m', memory: '256Mi' },
    });
    expect(body.metadata.annotations['kubernetes.io/limit-ranger']).toBe(
      'LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c',
    );
  });

  it.each([
    [
      { limits: { cpu: '3' } },
      '[maximum cpu usage per Container is 1, but limit is 3, maximum cpu usage per Pod is 2, but limit is 3]',
    ],
    [
      { requests: { cpu: '60m' }, limits: { cpu: '900m' } },
      'cpu max limit to request ratio per Container is 8, but provided ratio is 15.000000',
    ],
    [
      { requests: { cpu: '10m' }, limits: { cpu: '50m' } },
      'minimum cpu usage per Container is 50m, but request is 10m',
    ],
  ])('refuse %j', async (resources, message) => {
    const { body } = await pod('a', { containers: [{ ...container, resources }] }, 'limited');
    expect(body).toMatchObject({ code: 403, message: `pods "a" is forbidden: ${message}` });
  });

  it('apply to a resize', async () => {
    const pods = '/api/v1/namespaces/limited/pods';
    await api.post(pods, { metadata: { name: 'grows' }, spec: { containers: [container] } });
    const resize = (cpu: string) => {
      const resources = { requests: { cpu: '500m' }, limits: { cpu } };
      return api.patch(`${pods}/grows/resize`, { spec: { containers: [{ name: 'c', resources }] } }, 'strategic');
    };
    expect((await resize('3')).body).toMatchObject({
      code: 403,
      message:
        'pods "grows" is forbidden: [maximum cpu usage per Container is 1, but limit is 3, maximum cpu usage per Pod is 2, but limit is 3]',
    });
    expect((await resize('1')).status).toBe(200);
  });

  it.each([
    ['1Mi', 'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi'],
    ['3Gi', 'maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi'],
  ])('refuse a claim of %s', async (storage, message) => {
    const { body } = await api.post('/api/v1/namespaces/limited/persistentvolumeclaims', {
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
    expect(body).toMatchObject({ code: 403, message: `persistentvolumeclaims "a" is forbidden: ${message}` });
  });
});

describe('claims', () => {
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const claim = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });

  it('are protected, and get the newest default class', async () => {
    const classes = '/apis/storage.k8s.io/v1/storageclasses';
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await api.post(classes, { metadata: { name: 'slow', annotations }, provisioner: 'example.com/slow' });
    const { body } = await api.post(`${claims}?dryRun=All`, claim('a'));
    expect(body.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    expect(body.spec.storageClassName).toBe('slow');
    const none = await api.post(`${claims}?dryRun=All`, claim('a', { storageClassName: '' }));
    expect(none.body.spec.storageClassName).toBe('');
  });

  it('grow only if their class lets them', async () => {
    await api.post(claims, claim('fixed', { volumeName: 'v' }));
    const { body } = await api.get(`${claims}/fixed`);
    body.spec.resources.requests.storage = '2Gi';
    await api.patch(`${claims}/fixed/status`, { status: { phase: 'Bound' } });
    const grown = await api.patch(`${claims}/fixed`, { spec: { resources: { requests: { storage: '2Gi' } } } });
    expect(grown.body).toMatchObject({
      code: 403,
      message:
        'persistentvolumeclaims "fixed" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    });
  });
});

it('gives an ingress the default class', async () => {
  await api.post('/apis/networking.k8s.io/v1/ingressclasses', {
    metadata: { name: 'front', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: { controller: 'example.com/front' },
  });
  const { body } = await api.post('/apis/networking.k8s.io/v1/namespaces/default/ingresses?dryRun=All', {
    metadata: { name: 'a' },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  });
  expect(body.spec.ingressClassName).toBe('front');
});

it('taints a new node', async () => {
  const { body } = await api.post('/api/v1/nodes?dryRun=All', { metadata: { name: 'n' } });
  expect(body.spec.taints).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
});

describe('objects that are not complete', () => {
  it.each([{}, { containers: null }, { containers: [] }, { initContainers: [{ name: 'i' }] }, { containers: [{}] }])(
    'are refused by the rules of their type: pod with spec %j',
    async (spec) => {
      const path = '/api/v1/namespaces/limited';
      await api.post(`${path}/limitranges`, {
        metadata: { name: 'some' },
        spec: {
          limits: [
            { type: 'Container', default: { cpu: '1' } },
            { type: 'Pod', max: { cpu: '2' } },
          ],
        },
      });
      const { body } = await api.post(`${path}/pods`, { metadata: { name: 'p' }, spec });
      expect(body).toMatchObject({ code: 422, reason: 'Invalid' });
    },
  );
});

describe('a namespace', () => {
  const terminating = (what: string, name: string) => ({
    code: 403,
    message: `${what} "${name}" is forbidden: unable to create new content in namespace going because it is being terminated`,
    details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
  });
  const target = { apiVersion: 'v1', kind: 'Node', name: 'n' };
  const missing = { code: 404, message: 'namespaces "none" not found' };

  it.each([
    ['pods/p/binding', { metadata: { name: 'p' }, target }, ['pods', 'p']],
    ['bindings', { metadata: { name: 'p' }, target }, ['bindings', 'p']],
    ['pods/p/eviction', { metadata: { name: 'p' } }, ['pods', 'p']],
    ['serviceaccounts/s/token', { spec: {} }, ['serviceaccounts', 's']],
    ['configmaps', { metadata: { generateName: 'c-' } }, ['configmaps', 'c-']],
    ['secrets', {}, ['secrets', 'Unknown']],
  ] as const)('accepts no %s when it is missing or terminating', async (path, body, [resource, name]) => {
    const namespace = '/api/v1/namespaces/going';
    await api.post('/api/v1/namespaces', { metadata: { name: 'going' } });
    const held = { metadata: { name: 'held', finalizers: ['example.com/x'] } };
    await api.post(`${namespace}/configmaps`, held);
    await api.post(`${namespace}/pods`, { metadata: { name: 'p' }, spec: { containers: [container] } });
    await api.delete(namespace);
    expect((await api.post(`${namespace}/${path}`, body)).body).toMatchObject(terminating(resource, name));
    expect((await api.post(`/api/v1/namespaces/none/${path}`, body)).body).toMatchObject(missing);
  });
});

describe('privileged containers', () => {
  const privileged = { containers: [{ ...container, securityContext: { privileged: true } }] };
  const template = { metadata: { labels: { a: 'b' } }, spec: privileged };
  const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';

  it('are accepted', async () => {
    const { status, body } = await pod('strong', privileged);
    expect(status).toBe(200);
    expect(body.spec.containers[0].securityContext).toEqual({ privileged: true });
    expect((await api.post(deployments, deployment)).status).toBe(200);
    expect((await api.patch(`${deployments}/d`, { metadata: { labels: { x: 'y' } } })).status).toBe(200);
    const windowsOptions = { hostProcess: true };
    const host = { hostNetwork: true, os: { name: 'windows' }, securityContext: { windowsOptions } };
    expect((await pod('host', host)).status).toBe(200);
    const other = await pod('strong', { containers: [{ ...privileged.containers[0], image: '' }] });
    expect(other.body.message).toBe('Pod "strong" is invalid: spec.containers[0].image: Required value');
  });

  it('are refused with --allow-privileged=false', async () => {
    const strict = await TestApi.start({ allowPrivileged: false });
    onTestFinished(() => strict.stop());
    const refused = 'spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy';
    const sent = { metadata: { name: 'strong' }, spec: privileged };
    expect((await strict.post('/api/v1/namespaces/default/pods', sent)).body).toMatchObject({
      code: 422,
      message: `Pod "strong" is invalid: ${refused}`,
    });
    const { body } = await strict.post(deployments, deployment);
    expect(body.message).toContain(`spec.template.${refused}`);
  });
});
