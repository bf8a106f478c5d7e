import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asUser, durations, percentile, type StormOptions, startStorm } from './storm.ts';
import { WatchedServer } from './watched-server.ts';

const settings = '/api/v1/namespaces/default/configmaps/settings';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const manager = asUser('system:serviceaccount:kube-system:manager');

type StormSize = Pick<StormOptions, 'lists' | 'creates'>;

/** 99th percentiles of durations in milliseconds, while one user sends creates and lists of 10,000 objects. */
interface Latencies {
  readonly get: number;
  readonly lease: number;
  readonly health: number;
  /** The responses of that user, by status. */
  readonly responses: Record<string, number>;
}

async function latencies({ api }: WatchedServer, size: StormSize): Promise<Latencies> {
  await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'settings' }, data: { a: 'b' } });
  await api.post(leases, { metadata: { name: 'manager' }, spec: { holderIdentity: 'm' } });
  let lease = (await api.get(`${leases}/manager`)).body;
  const renew = async (): Promise<void> => {
    const { status, body } = await api.put(`${leases}/manager`, lease, manager);
    expect(status).toBe(200);
    lease = { ...body, spec: { ...body.spec, leaseTransitions: (body.spec.leaseTransitions ?? 0) + 1 } };
  };
  const get = async (): Promise<void> => expect((await api.get(settings, asUser('jane'))).status).toBe(200);
  const check = async (): Promise<void> => expect((await api.get('/readyz', asUser('jane'))).status).toBe(200);
  // Opens the connections and compiles the code before the storm.
  await Promise.all([renew, get, check].map((send) => durations(100, send)));
  const storm = await startStorm(api, { user: 'mallory', ...size });
  let responses: Latencies['responses'] = {};
  const measure = async (): Promise<number[][]> => {
    await durations(50, get);
    return Promise.all([durations(500, get), durations(200, renew), durations(300, check)]);
  };
  const [gets = [], renewals = [], checks = []] = await measure().finally(async () => {
    responses = await storm.stop();
  });
  return { get: percentile(gets, 99), lease: percentile(renewals, 99), health: percentile(checks, 99), responses };
}

describe.each([
  ['lists and creates', { lists: 64, creates: 200 }],
  // Lists leave few seats for the creates of the same user. Without lists, many more creates run at the same time.
  ['creates', { lists: 0, creates: 200 }],
])('a storm of %s, with priority and fairness', (_name, size) => {
  let server: WatchedServer;
  beforeAll(async () => {
    const flags = ['--enable-priority-and-fairness=true', '--authorization-mode=AlwaysAllow'];
    server = await WatchedServer.start({ crowd: 10_000, flags });
  });
  afterAll(() => server.stop());

  // Other work of the machine delays all requests, so one good measurement of three is enough.
  it('delays nobody else', { retry: 2 }, async () => {
    const measured = await latencies(server, size);
    console.log(measured);
    const { get, lease, health, responses } = measured;
    expect(get).toBeLessThan(50);
    expect(lease).toBeLessThan(100);
    expect(health).toBeLessThan(100);
    expect(Object.values(responses).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(200);
  });
});
