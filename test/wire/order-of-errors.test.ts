import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

interface Refusal {
  readonly message: string;
  readonly details: { readonly causes: readonly { readonly field: string }[] };
}

const fieldsOf = (body: unknown) => (body as Refusal).details.causes.map(({ field }) => field);
const core = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** An error in the metadata is found by every check of the metadata, and those are as many as in kube-apiserver. */
describe('a label that is wrong in an update', () => {
  it.each<[string, string, object, number]>([
    ['config map', `${core}/configmaps`, {}, 4],
    ['secret', `${core}/secrets`, {}, 4],
    ['service account', `${core}/serviceaccounts`, {}, 4],
    ['endpoints', `${core}/endpoints`, {}, 4],
    ['persistent volume', '/api/v1/persistentvolumes', volume(), 4],
    ['limit range', `${core}/limitranges`, {}, 3],
    ['resource quota', `${core}/resourcequotas`, {}, 3],
    ['role', `${rbac}/namespaces/default/roles`, {}, 4],
    ['lease', '/apis/coordination.k8s.io/v1/namespaces/default/leases', {}, 3],
    ['disruption budget', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {}, 2],
  ])('is reported as often as it is checked: a %s', async (_kind, path, object, times) => {
    const { metadata } = (await api.post(path, { metadata: { generateName: 'labels-' }, ...object })).body as {
      metadata: { name: string };
    };
    const response = await api.patch(`${path}/${metadata.name}`, { metadata: { labels: { a: 'b c' } } });
    expect(response.status).toBe(422);
    expect(fieldsOf(response.body)).toEqual(Array.from({ length: times }, () => 'metadata.labels'));
    expect((response.body as Refusal).message.split('metadata.labels: ')).toHaveLength(2);
  });
});

function volume(): object {
  return { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } } };
}

describe('errors come in the order of the checks:', () => {
  it('the change of immutable data before the metadata of the new object', async () => {
    await api.post(`${core}/configmaps`, { metadata: { name: 'fixed' }, immutable: true });
    const change = { metadata: { finalizers: ['a b'] }, immutable: false };
    const { body } = await api.patch(`${core}/configmaps/fixed`, change);
    const metadata = ['metadata.finalizers', 'metadata.finalizers[0]'];
    expect(fieldsOf(body)).toEqual([...metadata, 'immutable', ...metadata]);
  });

  it('the source of a volume twice, and then its change', async () => {
    const path = '/api/v1/persistentvolumes';
    await api.post(path, { metadata: { name: 'v' }, ...volume() });
    const { body } = await api.patch(`${path}/v`, { spec: { hostPath: null } });
    expect(fieldsOf(body)).toEqual(['spec', 'spec', 'spec.persistentvolumesource']);
  });

  it('a name that depends on the spec among the metadata', async () => {
    const { body } = await api.post('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1.other.example', labels: { a: 'b c' } },
      spec: { group: 'g.example', version: 'v1', groupPriorityMinimum: 0, versionPriority: 1 },
    });
    expect(fieldsOf(body)).toEqual(['metadata.name', 'metadata.labels', 'spec.groupPriorityMinimum']);
  });

  it('what all events have in common before the metadata', async () => {
    const { body } = await api.post('/apis/events.k8s.io/v1/namespaces/kube-system/events', { metadata: {} });
    expect(fieldsOf(body)).toEqual(['involvedObject.namespace', 'metadata.name', 'eventTime', 'type']);
  });

  it('conflicts about whole fields before those about parts of their neighbours', async () => {
    const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses/i';
    const configuration = (name: string, host: string) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: { defaultBackend: { resource: { kind: 'K', name } }, rules: [{ host }] },
    });
    const apply = (manager: string, body: object) =>
      api.call('PATCH', `${path}?fieldManager=${manager}`, {
        body,
        headers: { 'content-type': 'application/apply-patch+yaml' },
      });
    await apply('m1', configuration('a', 'a.example'));
    const { body } = await apply('m2', configuration('b', 'b.example'));
    expect(fieldsOf(body)).toEqual(['.spec.rules', '.spec.defaultBackend.resource']);
  });
});
