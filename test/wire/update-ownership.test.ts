import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

it('owns the default metric of an autoscaler in v1', async () => {
  const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
  const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } };
  const { body } = await api.post(path, { metadata: { name: 'scaled' }, spec });
  expect(body.spec.targetCPUUtilizationPercentage).toBe(80);
  expect(body.metadata.managedFields[0].fieldsV1['f:spec']).toHaveProperty('f:targetCPUUtilizationPercentage');
  const annotations = {
    'autoscaling.alpha.kubernetes.io/metrics':
      '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":50}}]',
  };
  const other = await api.post(path, { metadata: { name: 'annotated', annotations }, spec });
  expect(other.body.spec).not.toHaveProperty('targetCPUUtilizationPercentage');
});

it('owns a reference without a name by its empty name', async () => {
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i' }], imagePullSecrets: [{}, { name: 'x' }] },
  };
  const { body } = await api.post('/apis/apps/v1/namespaces/default/deployments?dryRun=All', {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  });
  const owned = body.metadata.managedFields[0].fieldsV1['f:spec']['f:template']['f:spec']['f:imagePullSecrets'];
  expect(Object.keys(owned)).toEqual(['.', 'k:{"name":""}', 'k:{"name":"x"}']);
});

it('checks what a new node says about itself', async () => {
  const { status, body } = await api.post('/api/v1/nodes', {
    metadata: { name: 'n' },
    status: {
      capacity: { pods: '12345678901234567890' },
      declaredFeatures: ['B', 'B'],
      nodeInfo: { swap: { capacity: -1 } },
    },
  });
  expect(status).toBe(422);
  expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual(
    expect.arrayContaining(['status.capacity.pods', 'status.declaredFeatures[1]', 'metadata.nodeSwapStatus.capacity']),
  );
});

it('keeps the template of a suspended job while pods are active', async () => {
  const path = '/apis/batch/v1/namespaces/default/jobs';
  const job = (cpu: string) => ({
    metadata: { name: 'j' },
    spec: {
      suspend: true,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] },
      },
    },
  });
  await api.post(path, job('1'));
  const resources = (cpu: string) => ({
    spec: { template: { spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] } } },
  });
  expect((await api.patch(`${path}/j?dryRun=All`, resources('2'), 'strategic')).status).toBe(200);
  const conditions = [{ type: 'Suspended', status: 'True' }];
  await api.patch(`${path}/j/status`, { status: { active: 1, conditions } });
  const refused = await api.patch(`${path}/j?dryRun=All`, resources('2'), 'strategic');
  expect([refused.status, refused.body.details.causes[0].field]).toEqual([422, 'spec.template']);
});
