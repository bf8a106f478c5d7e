import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const containers = [{ name: 'c', image: 'example.com/c' }];
let made = 0;

/** A namespace for each test, because budgets count all pods that they select. */
class Place {
  readonly path: string;

  constructor(namespace: string) {
    this.path = `/api/v1/namespaces/${namespace}`;
  }

  static async make(): Promise<Place> {
    const name = `place${made++}`;
    await api.post('/api/v1/namespaces', { metadata: { name } });
    return new Place(name);
  }

  async pod(name: string, { phase = 'Running', ready = true } = {}): Promise<void> {
    await api.post(`${this.path}/pods`, {
      metadata: { name, labels: { app: 'a' } },
      spec: { containers, nodeName: 'n' },
    });
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
    await api.patch(`${this.path}/pods/${name}/status`, { status: { phase, conditions } });
  }

  async budget(name: string, status: object, spec: object = {}): Promise<void> {
    await api.post(this.budgets, { metadata: { name }, spec: { selector: { matchLabels: { app: 'a' } }, ...spec } });
    const { status: code } = await api.patch(`${this.budgets}/${name}/status`, { status });
    expect(code).toBe(200);
  }

  get budgets(): string {
    return `${this.path.replace('/api/v1', '/apis/policy/v1')}/poddisruptionbudgets`;
  }

  evict(name: string, more: object = {}, query = ''): Promise<ApiResponse> {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...more };
    return api.post(`${this.path}/pods/${name}/eviction${query}`, eviction);
  }

  async state(name: string): Promise<string> {
    const { status, body } = await api.get(`${this.path}/pods/${name}`);
    if (status === 404) return 'gone';
    return body.metadata.deletionTimestamp === undefined ? 'there' : 'going';
  }
}

const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 200 };
const allowing = (disruptionsAllowed: number, more: object = {}) => ({
  observedGeneration: 1,
  disruptionsAllowed,
  currentHealthy: 1,
  desiredHealthy: 1,
  expectedPods: 1,
  ...more,
});

describe('an eviction', () => {
  it('deletes a pod that no budget guards, and says why', async () => {
    const place = await Place.make();
    await place.pod('p');
    const { body } = await place.evict('p', { deleteOptions: { gracePeriodSeconds: 3 } });
    expect(body).toEqual(success);
    const pod = (await api.get(`${place.path}/pods/p`)).body;
    expect(pod.metadata.deletionGracePeriodSeconds).toBe(3);
    expect(pod.status.conditions).toContainEqual({
      type: 'DisruptionTarget',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: expect.any(String),
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    });
  });

  it.each([
    [{ apiVersion: 'policy/v1beta1' }, ''],
    [{ deleteOptions: { dryRun: ['All'] } }, ''],
    [{}, '?dryRun=All'],
  ])('may be a dry run, or in an old version: %j %s', async (more, query) => {
    const place = await Place.make();
    await place.pod('p');
    await place.budget('b', allowing(1));
    expect((await place.evict('p', more, query || '?dryRun=All')).body).toEqual(success);
    expect(await place.state('p')).toBe('there');
    const { status } = (await api.get(`${place.budgets}/b`)).body;
    expect(status.disruptionsAllowed).toBe(1);
    expect(status.disruptedPods).toBeUndefined();
  });

  it.each([
    [{ metadata: { name: 'other' } }, 400, 'name in URL does not match name in Eviction object'],
    [{ kind: 'Pod' }, 400, 'cannot be handled as a Eviction'],
  ])('is refused: %j', async (more, code, message) => {
    const place = await Place.make();
    await place.pod('p');
    const { status, body } = await place.evict('p', more);
    expect(status).toBe(code);
    expect(body.message).toContain(message);
    expect(await place.state('p')).toBe('there');
  });

  it('is a 404 if there is no pod', async () => {
    const place = await Place.make();
    expect((await place.evict('p')).body).toMatchObject({ code: 404, message: 'pods "p" not found' });
  });

  it('respects preconditions', async () => {
    const place = await Place.make();
    await place.pod('p');
    const { uid, resourceVersion } = (await api.get(`${place.path}/pods/p`)).body.metadata;
    for (const preconditions of [{ uid: 'x' }, { resourceVersion: '1' }]) {
      const { status } = await place.evict('p', { deleteOptions: { preconditions } });
      expect(status).toBe(409);
    }
    expect((await api.get(`${place.path}/pods/p`)).body.metadata.resourceVersion).toBe(resourceVersion);
    const { status } = await place.evict('p', { deleteOptions: { preconditions: { uid, resourceVersion } } });
    expect(status).toBe(200);
    expect(await place.state('p')).toBe('going');
  });
});

describe('a budget', () => {
  it('without any disruption left refuses', async () => {
    const place = await Place.make();
    await place.pod('p');
    await place.budget('b', allowing(0));
    const { status, body, headers } = await place.evict('p');
    expect(status).toBe(429);
    expect(headers['retry-after']).toBeUndefined();
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      reason: 'TooManyRequests',
      details: {
        causes: [
          { reason: 'DisruptionBudget', message: 'The disruption budget b needs 1 healthy pods and has 1 currently' },
        ],
      },
      code: 429,
    });
    expect(await place.state('p')).toBe('there');
  });

  it('causes a 429 if its controller has not seen it yet', async () => {
    const place = await Place.make();
    await place.pod('p');
    await place.budget('b', allowing(1, { observedGeneration: 0 }));
    const { status, body, headers } = await place.evict('p');
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('10');
    expect(body.details).toEqual({
      causes: [
        { reason: 'DisruptionBudget', message: 'The disruption budget b is still being processed by the server.' },
      ],
      retryAfterSeconds: 10,
    });
  });

  it('shows the error of its controller', async () => {
    const place = await Place.make();
    await place.pod('p');
    const failed = {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'SyncFailed',
      message: 'no controllers',
      observedGeneration: 1,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    await place.budget('b', allowing(0, { conditions: [failed] }));
    const { body } = await place.evict('p');
    expect(body.details.causes[0].message).toBe(
      'The disruption budget b does not allow evicting pods currently because it failed sync: no controllers',
    );
  });

  it('gives one disruption after the other', async () => {
    const place = await Place.make();
    await place.pod('p');
    await place.budget('b', allowing(2));
    expect((await place.evict('p')).status).toBe(200);
    const { status } = (await api.get(`${place.budgets}/b`)).body;
    expect(status.disruptionsAllowed).toBe(1);
    expect(status.disruptedPods).toEqual({ p: expect.any(String) });
  });

  it('gives its last disruption once, however many want it', async () => {
    const place = await Place.make();
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    for (const name of names) await place.pod(name);
    await place.budget('b', allowing(1));
    const responses = await Promise.all(names.map((name) => place.evict(name)));
    const codes = responses.map(({ status }) => status).sort();
    expect(codes).toEqual([200, ...names.slice(1).map(() => 429)]);
    const states = await Promise.all(names.map((name) => place.state(name)));
    expect(states.filter((state) => state === 'going')).toHaveLength(1);
    const { status } = (await api.get(`${place.budgets}/b`)).body;
    expect(Object.keys(status.disruptedPods)).toEqual([names[states.indexOf('going')]]);
    expect(status.disruptionsAllowed).toBe(0);
    expect(status.conditions).toMatchObject([
      { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
    ]);
  });

  it('must be the only one for a pod', async () => {
    const place = await Place.make();
    await place.pod('p');
    await place.budget('b', allowing(1));
    await place.budget('c', allowing(1));
    const { status, body } = await place.evict('p');
    expect(status).toBe(500);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      code: 500,
    });
  });

  it.each([
    ['that is not ready, while enough others are', allowing(0), {}, { ready: false }, 200],
    ['that is not ready, while not enough others are', allowing(0, { currentHealthy: 0 }), {}, { ready: false }, 429],
    [
      'that is not ready, when the budget says so',
      allowing(0, { currentHealthy: 0 }),
      { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      { ready: false },
      200,
    ],
    ['that has ended', allowing(0), {}, { phase: 'Failed' }, 200],
    ['that has succeeded', allowing(0), {}, { phase: 'Succeeded' }, 200],
    ['that has not begun', allowing(0), {}, { phase: 'Pending' }, 200],
    ['that is ready', allowing(0), { unhealthyPodEvictionPolicy: 'AlwaysAllow' }, {}, 429],
  ])('and a pod %s', async (_, status, spec, pod, expected) => {
    const place = await Place.make();
    await place.pod('p', pod);
    await place.budget('b', status, spec);
    expect((await place.evict('p')).status).toBe(expected);
    expect((await api.get(`${place.budgets}/b`)).body.status.disruptedPods).toBeUndefined();
  });

  it('does not apply to a pod that is already being deleted', async () => {
    const place = await Place.make();
    await place.pod('p');
    await api.delete(`${place.path}/pods/p`);
    await place.budget('b', allowing(0));
    expect((await place.evict('p')).status).toBe(200);
  });
});
