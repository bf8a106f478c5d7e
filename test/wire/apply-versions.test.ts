import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const entriesOf = (body: { metadata: { managedFields: { manager: string; apiVersion: string }[] } }) =>
  body.metadata.managedFields.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`).toSorted();

describe('an autoscaler in two versions', () => {
  const path = (version: string, name: string) =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/${name}`;
  const apply = (version: string, manager: string, name: string, spec: object, query = '') =>
    applyAs(api, manager, {
      path: path(version, name),
      body: { apiVersion: `autoscaling/${version}`, kind: 'HorizontalPodAutoscaler', metadata: { name }, spec },
      query,
    });
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' };

  it('has one entry for a manager that applies in both versions', async () => {
    const first = await apply('v2', 'm', 'moved', { maxReplicas: 5, scaleTargetRef });
    expect(ownersOf(first.body)).toEqual([
      'm: .spec.maxReplicas .spec.scaleTargetRef.apiVersion .spec.scaleTargetRef.kind .spec.scaleTargetRef.name',
    ]);
    const spec = { maxReplicas: 6, targetCPUUtilizationPercentage: 50, scaleTargetRef };
    const second = await apply('v1', 'm', 'moved', spec);
    expect(second.status).toBe(200);
    expect(ownersOf(second.body)).toEqual([
      'm: .spec.maxReplicas .spec.scaleTargetRef .spec.targetCPUUtilizationPercentage',
    ]);
    expect(entriesOf(second.body)).toEqual(['m autoscaling/v1']);
    const { body } = await api.get(path('v2', 'moved'));
    expect(entriesOf(body)).toEqual(['m autoscaling/v1']);
    expect(body.spec.metrics).toHaveLength(1);
  });

  it('has conflicts across them', async () => {
    await apply('v1', 'm', 'fought', { maxReplicas: 5, scaleTargetRef });
    expect((await apply('v2', 'n', 'fought', { maxReplicas: 7 })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "m": .spec.maxReplicas',
    );
    const { body } = await api.patch(`${path('v1', 'fought')}?fieldManager=u`, { spec: { minReplicas: 2 } });
    expect(entriesOf(body)).toEqual(['m autoscaling/v1', 'u autoscaling/v1']);
    expect((await apply('v2', 'n', 'fought', { minReplicas: 3 })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "u" using autoscaling/v1: .spec.minReplicas',
    );
    const moved = await api.patch(`${path('v2', 'fought')}?fieldManager=u`, { spec: { minReplicas: 4 } });
    expect(entriesOf(moved.body)).toEqual(['m autoscaling/v1', 'u autoscaling/v2']);
  });

  it('removes fields that the applier omits in the other version', async () => {
    const metrics = [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 60 } } },
    ];
    const { body } = await apply('v2', 'm', 'given', { maxReplicas: 5, minReplicas: 2, scaleTargetRef, metrics });
    expect(body.spec.minReplicas).toBe(2);
    const after = await apply('v1', 'm', 'given', { maxReplicas: 5, scaleTargetRef });
    expect([after.status, after.body.spec.minReplicas]).toEqual([200, 1]);
  });

  it.each(['v1', 'v2'])('has the same result in a dry run: %s', async (version) => {
    const spec = { maxReplicas: 5, scaleTargetRef };
    const tried = await apply(version, 'm', `tried-${version}`, spec, '&dryRun=All');
    const made = await apply(version, 'm', `tried-${version}`, spec);
    expect([tried.status, tried.body.spec]).toEqual([made.status, made.body.spec]);
  });

  it('is of the version of the path', async () => {
    const body = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'moved' } };
    const response = await applyAs(api, 'm', { path: path('v2', 'moved'), body });
    expect(response.body.message).toBe('invalid object type: autoscaling/v1, Kind=HorizontalPodAutoscaler');
  });
});

describe('events in two groups', () => {
  const core = '/api/v1/namespaces/default/events';
  const grouped = '/apis/events.k8s.io/v1/namespaces/default/events';
  const regarding = { apiVersion: 'v1', kind: 'Pod', name: 'p', namespace: 'default' };

  it('is the same in a version whichever it was written in', async () => {
    const event = { metadata: { name: 'plain' }, involvedObject: { namespace: 'default' } };
    const old = await api.post(core, event);
    const shown = await api.get(`${grouped}/plain`);
    // The newer version omits a field that the older one always has.
    expect(Object.keys(old.body)).toContain('reportingComponent');
    expect(Object.keys(shown.body)).not.toContain('reportingController');
    const again = await api.put(`${grouped}/plain`, shown.text);
    expect(again.text).toBe(shown.text);
    await api.patch(`${grouped}/plain`, { metadata: { labels: { a: 'b' } } });
    const { body } = await api.get(`${core}/plain`);
    expect(Object.keys(body)).toEqual(Object.keys(old.body));
  });

  it('have the same owners', async () => {
    const event = {
      metadata: { name: 'old' },
      involvedObject: regarding,
      reason: 'Because',
      message: 'a',
      type: 'Normal',
    };
    const { body } = await api.post(`${core}?fieldManager=maker`, event);
    expect(entriesOf(body)).toEqual(['maker v1']);
    expect(entriesOf((await api.get(`${grouped}/old`)).body)).toEqual(['maker v1']);
    const applied = await applyAs(api, 'm', {
      path: `${core}/old`,
      body: { apiVersion: 'v1', kind: 'Event', metadata: { name: 'old' }, message: 'b' },
    });
    expect(applied.body.message).toBe('Apply failed with 1 conflict: conflict with "maker" using v1: .message');
    const labelled = await api.patch(`${grouped}/old?fieldManager=labeller`, { metadata: { labels: { a: 'b' } } });
    expect(labelled.status).toBe(200);
    expect(entriesOf(labelled.body)).toContain('labeller events.k8s.io/v1');
    expect(ownersOf((await api.get(`${core}/old`)).body)).toContain('labeller*: .metadata.labels .metadata.labels.a');
  });

  it('are applied in either', async () => {
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'new' },
      eventTime: '2030-01-02T03:04:05.000006Z',
      reportingController: 'example.com/controller',
      reportingInstance: 'one',
      action: 'Acting',
      reason: 'Because',
      type: 'Normal',
      note: 'a',
      regarding,
    };
    const made = await applyAs(api, 'm', { path: `${grouped}/new`, body });
    expect(made.status).toBe(201);
    expect(ownersOf(made.body).join()).toContain('.note');
    const again = await applyAs(api, 'm', { path: `${grouped}/new`, body });
    expect([again.status, again.body]).toEqual([200, made.body]);
    const { body: seen } = await api.get(`${core}/new`);
    expect([seen.message, entriesOf(seen)]).toEqual(['a', ['m events.k8s.io/v1']]);
    const old = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'new' }, message: 'b' };
    const conflicting = await applyAs(api, 'n', { path: `${core}/new`, body: old });
    // The message names the field in the version of the owner.
    expect(conflicting.body.message).toBe('Apply failed with 1 conflict: conflict with "m": .note');
  });
});
