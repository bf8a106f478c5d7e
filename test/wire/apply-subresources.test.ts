import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCorpus } from '../corpus/load-corpus.ts';
import { type ApiResponse, TestApi } from './api.ts';
import { define, definitionOf, openSchema } from './custom-types.ts';
import { applyAs, ownersOf } from './field-owners.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ runtimeConfig: 'api/all=true' });
});
afterAll(() => api.stop());

let count = 0;

interface Configuration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

const base = {
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] },
  },
};

/** Returns a function that applies to a deployment, or to its subresource after a slash. */
function applier(name: string) {
  return (who: string, body: Configuration, query = '') => {
    const [manager = '', subresource] = who.split('/');
    const path = `${deployments}/${name}${subresource === undefined ? '' : `/${subresource}`}`;
    const whole = { apiVersion: 'apps/v1', kind: 'Deployment', ...body, metadata: { name, ...body.metadata } };
    return applyAs(api, manager, { path, body: whole, query });
  };
}

/** Creates a deployment with three replicas by an apply of `m`. */
async function made() {
  const name = `scaled-${++count}`;
  const apply = applier(name);
  const { body } = await apply('m', { spec: { ...base, replicas: 3 } });
  return { name, path: `${deployments}/${name}`, apply, body };
}

const fields =
  '.spec.selector .spec.template.metadata.labels.app .spec.template.spec.containers[{"name":"c"}] .spec.template.spec.containers[{"name":"c"}].image .spec.template.spec.containers[{"name":"c"}].name';
const withReplicas = `m: .spec.replicas ${fields}`;
const withoutReplicas = `m: ${fields}`;

describe('the status', () => {
  it('has its own owners, even with the same name', async () => {
    const { apply } = await made();
    const available = { conditions: [{ type: 'Available', status: 'True' }] };
    const condition = '.status.conditions[{"type":"Available"}]';
    const conditions = `${condition} ${condition}.status ${condition}.type`;
    const first = await apply('m/status', { status: { replicas: 3, ...available } });
    expect(first.body.status).toMatchObject({ replicas: 3, conditions: [{ type: 'Available', status: 'True' }] });
    expect(ownersOf(first.body)).toEqual([`m/status: ${conditions} .status.replicas`, withReplicas]);
    expect((await apply('n/status', { status: { replicas: 4 } })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "m" with subresource "status": .status.replicas',
    );
    const second = await apply('m/status', { status: { replicas: 3 } });
    expect(second.body.status).toEqual({ replicas: 3 });
    expect(ownersOf(second.body)).toEqual(['m/status: .status.replicas', withReplicas]);
  });

  it('is not what the main resource changes, nor the other way round', async () => {
    const { apply, body } = await made();
    await apply('s/status', { status: { replicas: 3 } });
    const main = await apply('m', { spec: { ...base, replicas: 3 }, status: { replicas: 9, readyReplicas: 1 } });
    expect([main.status, main.body.status]).toEqual([200, { replicas: 3 }]);
    expect(ownersOf(main.body)).toEqual([withReplicas, 's/status: .status.replicas']);
    const metadata = { labels: { q: '1' }, annotations: { q: '1' } };
    const { body: after } = await apply('s/status', { metadata, spec: { replicas: 9 }, status: { replicas: 3 } });
    expect(after.spec).toEqual(body.spec);
    expect([after.metadata.labels, after.metadata.annotations]).toEqual([undefined, { q: '1' }]);
    expect(ownersOf(after)).toEqual([withReplicas, 's/status: .metadata.annotations.q .status.replicas']);
  });

  it('has owners that update it', async () => {
    const { path, body } = await made();
    const put = { ...body, status: { replicas: 1 } };
    expect(ownersOf((await api.put(`${path}/status?fieldManager=c`, put)).body)).toEqual([
      'c/status*: .status.replicas',
      withReplicas,
    ]);
    const patched = await api.patch(`${path}/status?fieldManager=d`, {
      status: { replicas: 2 },
      spec: { replicas: 9 },
    });
    expect(ownersOf(patched.body)).toEqual(['d/status*: .status.replicas', withReplicas]);
  });

  it('is shared by condition for a pod', async () => {
    const path = `${pods}/shared`;
    await api.post(`${pods}?fieldManager=maker`, { metadata: { name: 'shared' }, spec: base.template.spec });
    const status = (manager: string, conditions: object[]) =>
      applyAs(api, manager, {
        path: `${path}/status`,
        body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shared' }, status: { conditions } },
      });
    await status('kubelet', [{ type: 'Ready', status: 'True' }]);
    const { body } = await status('gate', [{ type: 'ex.io/gate', status: 'True' }]);
    expect(body.status.conditions.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'Ready',
      'ex.io/gate',
    ]);
    expect((await status('gate', [{ type: 'Ready', status: 'False' }])).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubelet" with subresource "status": .status.conditions[type="Ready"].status',
    );
    const gone = await status('gate', []);
    expect(gone.body.status.conditions.map(({ type }: { type: string }) => type)).toEqual(['Ready']);
  });

  it.each([
    ['status', { status: { replicas: 3 } }],
    ['status', { status: { foo: 3 } }],
    ['scale', { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 1 } }],
  ])('and the scale are not created by themselves: %s %j', async (subresource, body) => {
    const response = await applier('absent')(`m/${subresource}`, body);
    expect(response.body).toMatchObject({ code: 404, message: 'deployments.apps "absent" not found' });
    expect((await api.get(`${deployments}/absent`)).status).toBe(404);
  });
});

describe('the scale', () => {
  const scale = (replicas: number) => ({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas } });
  const owners = async (path: string) => ownersOf((await api.get(path)).body);

  it.each<[string, (path: string, name: string) => Promise<ApiResponse>]>([
    ['PUT', (path, name) => api.put(path, { ...scale(4), metadata: { name, namespace: 'default' } })],
    ['a merge patch', (path) => api.patch(path, { spec: { replicas: 4 } })],
    ['a strategic merge patch', (path) => api.patch(path, { spec: { replicas: 4 } }, 'strategic')],
    ['a JSON patch', (path) => api.patch(path, [{ op: 'replace', path: '/spec/replicas', value: 4 }], 'json')],
  ])('takes the replicas from the manager that applied them: %s', async (_how, write) => {
    const { name, path, apply } = await made();
    expect((await write(`${path}/scale?fieldManager=s`, name)).status).toBe(200);
    expect(await owners(path)).toEqual([withoutReplicas, 's/scale*: .spec.replicas']);
    const { managedFields } = (await api.get(path)).body.metadata;
    expect(managedFields.find(({ manager }: { manager: string }) => manager === 's').apiVersion).toBe('apps/v1');
    expect((await apply('m', { spec: { ...base, replicas: 2 } })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "s" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  it('is applied, with conflicts and force', async () => {
    const { path, apply } = await made();
    expect((await apply('s/scale', scale(6))).body).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "m": .spec.replicas',
    });
    const forced = await apply('s/scale', scale(6), '&force=true');
    expect(forced.body).toMatchObject({ kind: 'Scale', spec: { replicas: 6 } });
    expect(forced.body.metadata).not.toHaveProperty('managedFields');
    expect(await owners(path)).toEqual([withoutReplicas, 's/scale: .spec.replicas']);
    // Both endpoints change the same field.
    expect((await apply('m', { spec: { ...base, replicas: 3 } })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "s" with subresource "scale": .spec.replicas',
    );
    expect((await apply('m', { spec: { ...base, replicas: 6 } })).status).toBe(200);
    expect(await owners(path)).toEqual([withReplicas, 's/scale: .spec.replicas']);
  });

  it('is applied for a custom object, with conflicts and force', async () => {
    const paths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const schema = structuredClone(openSchema);
    Object.assign(schema.openAPIV3Schema.properties.spec, { properties: { replicas: { type: 'integer' } } });
    await define(
      api,
      definitionOf({ singular: 'fleet', versions: [{ name: 'v1', schema, subresources: { scale: paths } }] }),
    );
    const path = '/apis/example.com/v1/namespaces/default/fleets/scaled';
    const object = { apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'scaled' } };
    const main = (replicas: number, query = '') =>
      applyAs(api, 'm', { path, body: { ...object, spec: { replicas, size: 'big' } }, query });
    const scaled = (body: object, query = '') =>
      applyAs(api, 's', { path: `${path}/scale`, body: { metadata: { name: 'scaled' }, ...body }, query });
    expect((await scaled(scale(6))).body).toMatchObject({
      code: 404,
      message: 'fleets.example.com "scaled" not found',
    });
    expect((await main(3)).status).toBe(201);
    expect((await scaled(scale(6))).body).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "m": .spec.replicas',
    });
    expect((await scaled(scale(6), '&force=true&dryRun=All')).body.spec).toEqual({ replicas: 6 });
    expect(await owners(path)).toEqual(['m: .spec.replicas .spec.size']);
    const forced = await scaled(scale(6), '&force=true');
    expect(forced.body).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 6 } });
    expect(forced.body.metadata).not.toHaveProperty('managedFields');
    expect(await owners(path)).toEqual(['m: .spec.size', 's/scale: .spec.replicas']);
    expect((await api.get(path)).body.spec).toEqual({ replicas: 6, size: 'big' });
    expect((await main(3)).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "s" with subresource "scale": .spec.replicas',
    );
    expect((await scaled({ ...object, spec: { replicas: 1 } })).body).toMatchObject({
      code: 400,
      message: 'invalid object type: example.com/v1, Kind=Fleet',
    });
  });

  it('is no endpoint for the object', async () => {
    const { apply } = await made();
    expect((await apply('m/scale', { spec: base })).body).toMatchObject({
      code: 400,
      message: 'invalid object type: apps/v1, Kind=Deployment',
    });
  });

  it('writes nothing if it stays as it is', async () => {
    const { path, apply, body } = await made();
    await apply('s/scale', scale(3));
    const once = (await api.get(path)).body;
    expect(ownersOf(once)).toEqual([withReplicas, 's/scale: .spec.replicas']);
    await apply('s/scale', scale(3));
    await api.patch(`${path}/scale`, { spec: { replicas: 3 } });
    expect((await api.get(path)).body).toEqual(once);
    expect(once.spec).toEqual(body.spec);
  });
});

describe('other subresources', () => {
  it('own what they change in pods', async () => {
    await api.post(`${pods}?fieldManager=maker`, { metadata: { name: 'debugged' }, spec: base.template.spec });
    const ephemeralContainers = [{ name: 'e', image: 'example.com/e:1' }];
    const path = `${pods}/debugged/ephemeralcontainers?fieldManager=debugger`;
    const { status, body } = await api.patch(path, { spec: { ephemeralContainers } }, 'strategic');
    expect(status).toBe(200);
    const owners = ownersOf(body);
    const debuggers = owners.find((owner) => owner.startsWith('debugger/ephemeralcontainers*: '))!;
    expect(debuggers).toContain('.spec.ephemeralContainers[{"name":"e"}].image');
    expect(debuggers).not.toContain('.spec.containers');
  });

  it('have no owners when they bind a pod to a node', async () => {
    const { body: made } = await api.post(`${pods}?fieldManager=maker`, {
      metadata: { name: 'bound' },
      spec: base.template.spec,
    });
    const binding = { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n' } };
    await api.post(`${pods}/bound/binding?fieldManager=scheduler`, binding);
    const { body } = await api.get(`${pods}/bound`);
    expect(body.spec.nodeName).toBe('n');
    expect(body.metadata.managedFields).toEqual(made.metadata.managedFields);
  });

  it('are owned through their endpoint for nodes, claims and budgets', async () => {
    const objects: [string, string, string, object, object][] = [
      ['/api/v1/nodes', 'v1', 'Node', {}, { nodeInfo: { machineID: 'x' } }],
      [
        '/api/v1/namespaces/default/persistentvolumeclaims',
        'v1',
        'PersistentVolumeClaim',
        { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        { phase: 'Bound' },
      ],
      [
        '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
        'policy/v1',
        'PodDisruptionBudget',
        { spec: { minAvailable: 1 } },
        { currentHealthy: 1 },
      ],
      [
        '/api/v1/namespaces/default/services',
        'v1',
        'Service',
        { spec: { ports: [{ port: 80 }] } },
        { loadBalancer: {} },
      ],
    ];
    for (const [path, apiVersion, kind, rest, status] of objects) {
      const body = { apiVersion, kind, metadata: { name: 'endpoints' } };
      const made = await applyAs(api, 'm', { path: `${path}/endpoints`, body: { ...body, ...rest } });
      expect(made.body.message ?? made.status, kind).toBe(201);
      const response = await applyAs(api, 'c', {
        path: `${path}/endpoints/status`,
        body: { ...body, status, spec: {} },
      });
      expect(response.body.message ?? response.status, kind).toBe(200);
      const owners = ownersOf(response.body);
      expect(
        owners.filter((owner) => owner.startsWith('m: ')),
        kind,
      ).toEqual(ownersOf(made.body));
      expect(
        owners.filter((owner) => owner.startsWith('c/status: .status.')),
        kind,
      ).toHaveLength(1);
      expect(response.body.spec, kind).toEqual(made.body.spec);
    }
  });

  it('have their own fields for certificate requests', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const corpus = await loadCorpus();
    const { object } = corpus.find((entry) => entry.path === path)!.valid[0]!;
    // The spec has no owner, because it never changes.
    const metadata = { ...object.metadata, labels: { a: 'b' } };
    const { body: made } = await api.post(`${path}?fieldManager=maker`, { ...object, metadata });
    expect(ownersOf(made)).toEqual(['maker*: .metadata.labels .metadata.labels.a']);
    const conditions = [{ type: 'Approved', status: 'True', reason: 'R', message: 'm' }];
    const item = `${path}/${made.metadata.name}`;
    const approved = await api.put(`${item}/approval?fieldManager=approver`, { ...made, status: { conditions } });
    expect(approved.status).toBe(200);
    const owners = ownersOf(approved.body).filter((owner) => owner.startsWith('approver/approval*: '));
    expect(owners.join()).toContain('.status.conditions[{"type":"Approved"}].reason');
    const denied = [{ type: 'Failed', status: 'True' }];
    const status = await api.patch(`${item}/status?fieldManager=signer`, { status: { conditions: denied } });
    expect(ownersOf(status.body).join()).not.toContain('signer/status');
  });

  it('do not apply if they only take an object', async () => {
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'x' } };
    const response = await applyAs(api, 'm', { path: `${pods}/shared/binding`, body });
    expect(response.status).toBe(405);
  });
});
