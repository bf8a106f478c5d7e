import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { startServer } from '../../server/index.ts';
import type { Budget, Pod } from './budget.ts';
import { computedStatus } from './budget-status.ts';

const apps = (resource: string) => ({ group: 'apps', version: 'v1', resource });
const labels = { app: 'a' };

async function started() {
  const errors: string[] = [];
  const error = (message: string, fields?: object) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  const log = { info: () => {}, error, flush: () => Promise.resolve() };
  const server = await startServer({
    storage: 'memory',
    controllers: ['disruption-controller'],
    disableAdmissionPlugins: ['ServiceAccount'],
    log,
  });
  onTestFinished(async () => {
    await server.stop();
    expect(errors).toEqual([]);
  });
  const { client } = server;
  const pods = client.resource({ group: '', version: 'v1', resource: 'pods' }, 'default');
  const budgets = client.resource({ group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' }, 'default');
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'c', image: 'registry.example/c:1' }] },
  };
  const owner = async (resource: string, name: string, replicas: number, by?: ResourceObject) => {
    const ownerReferences = by && [reference(by)];
    return client.resource(apps(resource), 'default').create({
      metadata: { name, ...(ownerReferences && { ownerReferences }) },
      spec: { replicas, selector: { matchLabels: labels }, template },
    });
  };
  const pod = async (name: string, { isReady = true, by }: { isReady?: boolean; by?: ResourceObject } = {}) => {
    const ownerReferences = by && [reference(by)];
    await pods.create({ ...template, metadata: { name, labels, ...(ownerReferences && { ownerReferences }) } });
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
    await pods.patch(name, { status: { conditions } }, { subresource: 'status' });
  };
  const budget = (spec: object) =>
    budgets.create({ metadata: { name: 'b' }, spec: { selector: { matchLabels: labels }, ...spec } });
  /** Expected, healthy, desired, allowed. */
  const has = (...counts: number[]) =>
    vi.waitFor(
      async () => {
        const { status } = (await budgets.get('b')) as Budget;
        const { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed } = status ?? {};
        expect([expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed]).toEqual(counts);
      },
      { interval: 5 },
    );
  return { client, pods, budgets, owner, pod, budget, has };
}

function reference({ kind = '', apiVersion = '', metadata: { name = '', uid = '' } }: ResourceObject) {
  return { kind, apiVersion, name, uid, controller: true };
}

describe('budgets', () => {
  it('show how many pods may be evicted', async () => {
    const { pods, budgets, pod, budget, has } = await started();
    await budget({ minAvailable: 2 });
    await has(0, 0, 2, 0);
    for (const name of ['a', 'b', 'c']) await pod(name);
    await pod('unready', { isReady: false });
    await has(4, 3, 2, 1);
    expect((await budgets.get('b')).status).toMatchObject({
      observedGeneration: 1,
      conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', observedGeneration: 1 }],
    });
    await pods.delete('a');
    await has(3, 2, 2, 0);
    await budgets.patch('b', { spec: { minAvailable: 1 } });
    await has(3, 2, 1, 1);
    expect((await budgets.get('b')).status).toMatchObject({ observedGeneration: 2 });
    // The pod is no longer selected.
    await pods.patch('b', { metadata: { labels: { app: 'other' } } });
    await has(2, 1, 1, 0);
  });

  it.each<[object, number[]]>([
    [{ maxUnavailable: 1 }, [5, 3, 4, 0]],
    [{ maxUnavailable: '50%' }, [5, 3, 2, 1]],
    [{ minAvailable: '50%' }, [5, 3, 3, 0]],
    [{ minAvailable: '1%' }, [5, 3, 1, 2]],
    [{ maxUnavailable: 9 }, [5, 3, 0, 3]],
  ])('%j of the scale of the owner', async (spec, expected) => {
    const { owner, pod, budget, has } = await started();
    const deployment = await owner('deployments', 'd', 5);
    const set = await owner('replicasets', 'r', 3, deployment);
    for (const name of ['a', 'b', 'c']) await pod(name, { by: set });
    await budget(spec);
    await has(...expected);
  });

  it('allow nothing when the scale of an owner is unknown', async () => {
    const { client, budgets, owner, pod, budget } = await started();
    const set = await owner('statefulsets', 's', 2);
    await pod('a', { by: set });
    await client.resource(apps('statefulsets'), 'default').delete('s');
    await budget({ maxUnavailable: 1 });
    await vi.waitFor(async () =>
      expect((await budgets.get('b')).status).toMatchObject({
        disruptionsAllowed: 0,
        conditions: [{ status: 'False', reason: 'SyncFailed', message: 'found no controllers for pod "a"' }],
      }),
    );
  });
});

describe('evicted pods', () => {
  const now = Date.parse('2030-01-01T00:10:00Z');
  const pod = (name: string, deletionTimestamp?: string): Pod => ({
    metadata: { name, ...(deletionTimestamp && { deletionTimestamp }) },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  const budget: Budget = {
    metadata: { name: 'b', generation: 3 },
    status: {
      disruptedPods: {
        going: '2030-01-01T00:09:00Z',
        gone: '2030-01-01T00:09:00Z',
        late: '2030-01-01T00:07:59Z',
        waiting: '2030-01-01T00:09:30Z',
      },
    },
  };

  it('are not healthy until the eviction expires', () => {
    const pods = [pod('going', '2030-01-01T00:09:01Z'), pod('late'), pod('waiting'), pod('other')];
    expect(computedStatus(budget, pods, { expected: 4, desired: 1, now })).toMatchObject({
      status: {
        disruptedPods: { waiting: '2030-01-01T00:09:30Z' },
        currentHealthy: 2,
        disruptionsAllowed: 1,
        observedGeneration: 3,
      },
      recheckMs: 90_000,
    });
  });
});
