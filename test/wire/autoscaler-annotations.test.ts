import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const v1 = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const v2 = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const prefix = 'autoscaling.alpha.kubernetes.io/';
const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } };
const memory = (targetAverageUtilization: number) =>
  JSON.stringify([{ type: 'Resource', resource: { name: 'memory', targetAverageUtilization } }]);
const condition = { type: 'ScalingActive', status: 'True', lastTransitionTime: null };
const conditions = JSON.stringify([condition]);

const autoscaler = (name: string, annotations: Record<string, string>) => ({ metadata: { name, annotations }, spec });

/** The annotations that each manager owns. */
function ownedAnnotations({ metadata }: { metadata: { managedFields: readonly Entry[] } }): Record<string, string[]> {
  const owned = metadata.managedFields.map(({ manager, fieldsV1 }): [string, string[]] => [
    manager,
    Object.keys(fieldsV1['f:metadata']?.['f:annotations'] ?? {}).map((name) => name.replace(`f:${prefix}`, '')),
  ]);
  return Object.fromEntries(owned.filter(([, names]) => names.length > 0));
}

interface Entry {
  readonly manager: string;
  readonly fieldsV1: { readonly 'f:metadata'?: { readonly 'f:annotations'?: object } };
}

it('owns the annotations that v1 shows', async () => {
  const annotations = { [`${prefix}metrics`]: memory(50), own: 'a' };
  const { body } = await api.post(`${v1}?fieldManager=a`, autoscaler('shown', annotations));
  expect(body.metadata.annotations).toEqual(annotations);
  expect(ownedAnnotations(body)).toEqual({ a: ['.', 'metrics', 'f:own'] });
  const changed = autoscaler('shown', { ...annotations, [`${prefix}metrics`]: memory(60) });
  const second = await api.put(`${v1}/shown?fieldManager=b`, changed);
  expect(ownedAnnotations(second.body)).toEqual({ a: ['.', 'f:own'], b: ['metrics'] });
});

it.each(['not json', '{}', '[{"type":1}]', '[]'])('neither keeps nor owns metrics that are %s', async (text) => {
  const sent = autoscaler('unreadable', { [`${prefix}metrics`]: text });
  const { body } = await api.post(`${v1}?dryRun=All`, sent);
  expect(body.metadata.annotations).toBeUndefined();
  expect(body.metadata.managedFields[0].fieldsV1).not.toHaveProperty('f:metadata');
  expect(body.spec.targetCPUUtilizationPercentage).toBe(80);
});

it('does not own metrics that only another spelling changes', async () => {
  const metrics = (targetAverageValue: string) => ({
    [`${prefix}metrics`]: JSON.stringify([{ type: 'Pods', pods: { metricName: 'm', targetAverageValue } }]),
  });
  await api.post(`${v1}?fieldManager=a`, autoscaler('spelled', metrics('1')));
  const { body } = await api.put(`${v1}/spelled?fieldManager=b`, autoscaler('spelled', metrics('1000m')));
  expect(body.metadata.annotations).toEqual(metrics('1'));
  expect(ownedAnnotations(body)).toEqual({ a: ['.', 'metrics'] });
});

it('sets the conditions of v1 through the status only', async () => {
  const stated = { [`${prefix}conditions`]: conditions, [`${prefix}current-metrics`]: '[{"type":"Resource"}]' };
  const created = await api.post(v1, autoscaler('reported', stated));
  expect(created.body.metadata.annotations).toBeUndefined();
  const updated = await api.put(`${v1}/reported`, autoscaler('reported', stated));
  expect(updated.body.metadata.annotations).toBeUndefined();
  const status = { currentReplicas: 1, desiredReplicas: 1 };
  const patch = { metadata: { annotations: { [`${prefix}conditions`]: conditions } }, status };
  const reported = await api.patch(`${v1}/reported/status`, patch);
  expect(reported.body.metadata.annotations).toEqual({ [`${prefix}conditions`]: conditions });
  // A client that does not know the annotation does not remove the conditions.
  await api.put(`${v1}/reported`, autoscaler('reported', {}));
  expect((await api.get(`${v2}/reported`)).body.status.conditions).toEqual([condition]);
});

it('does not set the metrics of v1 through the status', async () => {
  await api.post(v1, autoscaler('steady', { [`${prefix}metrics`]: memory(50) }));
  const patch = { metadata: { annotations: { [`${prefix}metrics`]: memory(60) } } };
  const { body } = await api.patch(`${v1}/steady/status`, patch);
  expect(body.metadata.annotations).toEqual({ [`${prefix}metrics`]: memory(50) });
  const removed = await api.patch(`${v1}/steady/status`, { metadata: { annotations: null } });
  expect(removed.body.metadata.annotations).toEqual({ [`${prefix}metrics`]: memory(50) });
});

it('drops the annotations of v1 from v2', async () => {
  const annotations = { [`${prefix}metrics`]: memory(50), own: 'a' };
  const { body } = await api.post(v2, autoscaler('newer', annotations));
  expect(body.metadata.annotations).toEqual({ own: 'a' });
  expect(body.spec.metrics).toMatchObject([{ resource: { name: 'cpu' } }]);
});
