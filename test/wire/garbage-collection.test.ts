import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ controllers: ['garbage-collector-controller'] });
});
afterAll(() => api.stop());

const labels = { app: 'web' };
const spec = {
  replicas: 2,
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/c' }] } },
};

/** Creates a deployment with a replica set and pods in a new namespace. */
async function tree(namespace: string) {
  await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const paths = {
    deployment: `${apps}/deployments/web`,
    replicaSet: `${apps}/replicasets/web-1`,
    pods: ['web-1-a', 'web-1-b'].map((name) => `/api/v1/namespaces/${namespace}/pods/${name}`),
  };
  const make = async (
    path: string,
    body: object,
    owner?: { kind: string; metadata: { name: string; uid: string } },
  ) => {
    const [, collection = '', name = ''] = /(.*)\/(.*)/.exec(path) ?? [];
    const reference = owner && {
      apiVersion: 'apps/v1',
      kind: owner.kind,
      name: owner.metadata.name,
      uid: owner.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    const ownerReferences = reference === undefined ? [] : [reference];
    const { status, body: made } = await api.post(collection, { metadata: { name, labels, ownerReferences }, ...body });
    expect(status).toBe(200);
    return made;
  };
  const deployment = await make(paths.deployment, { spec });
  const replicaSet = await make(paths.replicaSet, { spec }, deployment);
  for (const path of paths.pods) await make(path, { spec: spec.template.spec }, replicaSet);
  return { ...paths, all: [paths.deployment, paths.replicaSet, ...paths.pods] };
}

const statuses = (paths: readonly string[]) => async () =>
  Promise.all(paths.map(async (path) => (await api.get(path)).status));

describe('a deployment, its replica set and its pods', () => {
  it.each(['Background', 'Foreground'])('go together: %s', async (policy) => {
    const { deployment, all } = await tree(policy.toLowerCase());
    const { status } = await api.delete(`${deployment}?propagationPolicy=${policy}`);
    expect(status).toBe(200);
    await expect.poll(statuses(all)).toEqual([404, 404, 404, 404]);
  });

  it('go together when nothing is said', async () => {
    const { deployment, all } = await tree('unsaid');
    await api.delete(deployment);
    await expect.poll(statuses(all)).toEqual([404, 404, 404, 404]);
  });

  it('go from below in the foreground: pods that take their time hold the rest', async () => {
    const { deployment, replicaSet, pods } = await tree('slow');
    const [held = ''] = pods;
    await api.patch(held, { metadata: { finalizers: ['example.com/hold'] } });
    await api.delete(`${deployment}?propagationPolicy=Foreground`);
    const waits = async (path: string) => (await api.get(path)).body.metadata?.deletionTimestamp !== undefined;
    await expect.poll(() => waits(held)).toBe(true);
    await expect.poll(statuses(pods)).toEqual([200, 404]);
    expect(await Promise.all([waits(deployment), waits(replicaSet)])).toEqual([true, true]);
    await api.patch(held, { metadata: { finalizers: null } });
    await expect.poll(statuses([deployment, replicaSet, held])).toEqual([404, 404, 404]);
  });

  it('part when the deployment is deleted alone', async () => {
    const { deployment, replicaSet, pods } = await tree('alone');
    await api.delete(`${deployment}?propagationPolicy=Orphan`);
    await expect.poll(statuses([deployment])).toEqual([404]);
    expect((await api.get(replicaSet)).body.metadata.ownerReferences).toBeUndefined();
    for (const pod of pods) {
      expect((await api.get(pod)).body.metadata.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', name: 'web-1' }]);
    }
  });
});
