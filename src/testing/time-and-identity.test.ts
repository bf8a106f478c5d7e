import { afterAll, beforeAll, expect, test } from 'vitest';
import { readText } from '../client/read-text.ts';
import type { ResourceObject } from '../meta/object.ts';
import { ManualClock, startTestServer, type TestServer } from './index.ts';

const minute = 60_000;
const jobsType = { group: 'batch', version: 'v1', resource: 'jobs' };
const podsType = { group: '', version: 'v1', resource: 'pods' };
const leasesType = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const core = (resource: string) => ({ group: '', version: 'v1', resource });
const container = { name: 'c', image: 'i' };

let clock: ManualClock;
let server: TestServer;
beforeAll(async () => {
  clock = new ManualClock('2030-05-01T12:00:00Z');
  server = await startTestServer({ clock, seed: 1, eventTtlMs: 15 * minute });
  await server.untilQuiet();
});
afterAll(() => server.stop());

const at = () => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;

test('objects have the time of the clock', async () => {
  const configMaps = server.client.as('tester/1').resource(core('configmaps'), 'default');
  const created = await configMaps.create({ metadata: { name: 'a' }, data: { a: 'b' } });
  expect(created.metadata.creationTimestamp).toBe(at());
  const first = at();
  await clock.advance(minute);
  const changed = await configMaps.patch('a', { data: { b: 'c' } });
  const stored = (await server.stored()).get('/registry/configmaps/default/a')!;
  expect(stored.toString()).toContain(`"time":"${at()}"`);
  expect(changed.metadata.creationTimestamp).toBe(first);
});

test('grace periods end by the clock', async () => {
  const pods = server.client.resource(podsType, 'default');
  await pods.create({ metadata: { name: 'p' }, spec: { nodeName: 'n', containers: [container] } });
  await clock.advance(1000);
  await pods.delete('p');
  const { metadata } = await pods.get('p');
  expect(Date.parse(metadata.deletionTimestamp as string)).toBe(clock.now() + 30_000);
});

test('events and finished jobs go when their time has come, and not before', async () => {
  const events = server.client.resource(core('events'), 'default');
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
  await events.create({ metadata: { name: 'e' }, involvedObject } as ResourceObject);
  const jobs = server.client.resource(jobsType, 'default');
  const template = { spec: { restartPolicy: 'Never', containers: [container] } };
  await jobs.create({ metadata: { name: 'j' }, spec: { ttlSecondsAfterFinished: 600, template } });
  const times = { startTime: at(), completionTime: at() };
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: at(),
  }));
  await jobs.patch('j', { status: { ...times, conditions } }, { subresource: 'status' });
  await clock.advance(9 * minute);
  await expect(jobs.get('j')).resolves.toBeDefined();
  await clock.advance(2 * minute);
  await expect(jobs.get('j')).rejects.toMatchObject({ code: 404 });
  await expect(events.get('e')).resolves.toBeDefined();
  await clock.advance(5 * minute);
  await expect(events.get('e')).rejects.toMatchObject({ code: 404 });
});

test('tokens are issued and expire by the clock', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
  const { token } = await posted<{ token: string }>(path, { expirationSeconds: 600 });
  const review = () => posted<{ authenticated?: boolean }>('/apis/authentication.k8s.io/v1/tokenreviews', { token });
  await expect(review()).resolves.toMatchObject({ authenticated: true });
  await clock.advance(12 * minute);
  expect((await review()).authenticated).toBeUndefined();
});

/** Returns the status of the response. */
async function posted<T>(path: string, spec: object): Promise<T> {
  const response = await server.client.fetch({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ spec }),
  });
  return (JSON.parse(await readText(response)) as { status: T }).status;
}

test('the lease of the controllers is renewed when time goes on', async () => {
  const leases = server.client.resource<ResourceObject & { spec: { renewTime: string } }>(leasesType, 'kube-system');
  const before = (await leases.get('keelson-controllers')).spec.renewTime;
  await clock.advance(minute);
  const after = (await leases.get('keelson-controllers')).spec.renewTime;
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
  expect(Date.parse(after)).toBeLessThanOrEqual(clock.now());
});

test('watches get bookmarks and end by the clock', async () => {
  const seen: string[] = [];
  const { resourceVersion } = (await server.client.resource(core('configmaps'), 'default').list()).metadata;
  const parameters = { resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 100 };
  const ended = (async () => {
    const watch = server.client.resource(core('configmaps'), 'default').watch(parameters, AbortSignal.timeout(60_000));
    for await (const { type } of watch) seen.push(type);
  })();
  await expect.poll(() => server.untilQuiet().then(() => clock.waiting)).toBeGreaterThan(0);
  await clock.advance(61_000);
  await expect.poll(() => seen).toEqual(['BOOKMARK']);
  await clock.advance(40_000);
  await ended;
  expect(seen).toEqual(['BOOKMARK', 'BOOKMARK']);
});

test('time cannot go backwards, and timers fire in their order', async () => {
  const own = new ManualClock(0);
  const fired: string[] = [];
  own.schedule(() => fired.push('b'), 20);
  own.schedule(() => own.schedule(() => fired.push(`a ${own.now()}`), 5), 10);
  const cancel = own.schedule(() => fired.push('never'), 15);
  cancel();
  await own.advance(100);
  expect(fired).toEqual(['a 15', 'b']);
  expect(own.monotonic()).toBe(100);
  await expect(own.advance(-1)).rejects.toThrow(RangeError);
  expect(() => new ManualClock('soon')).toThrow('not a time: soon');
});

async function texts(own: TestServer): Promise<Record<string, string>> {
  return Object.fromEntries(Array.from(await own.stored(), ([key, value]) => [key, value.toString()]));
}

test('two runs with the same seed write the same bytes', async () => {
  const run = async (seed: number, securePort: number) => {
    await using own = await startTestServer({ clock: new ManualClock(), seed, securePort, credentialsOf: server });
    await own.untilQuiet();
    const { client } = own;
    await client.resource(core('namespaces')).create({ metadata: { name: 'n' } });
    const generated = { metadata: { generateName: 'g-' } };
    await client.resource(core('configmaps'), 'n').create(generated);
    await client.resource(core('configmaps'), 'n').create(generated);
    const spec = { containers: [container] };
    await client.resource(podsType, 'n').create({ metadata: { name: 'p' }, spec });
    await client.resource(core('services'), 'n').create({
      metadata: { name: 's' },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    });
    await own.untilQuiet();
    return { stored: await texts(own), port: Number(new URL(own.url).port) };
  };
  const first = await run(7, 0);
  const second = await run(7, first.port);
  expect(Object.keys(second.stored)).toEqual(Object.keys(first.stored));
  expect(second.stored).toEqual(first.stored);
  const other = await run(8, first.port);
  expect(other.stored).not.toEqual(first.stored);
});
