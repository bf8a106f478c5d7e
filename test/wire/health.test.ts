import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const hooks = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/storage-readiness',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];
const checks = {
  livez: ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...hooks],
  healthz: ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...hooks],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', ...hooks, 'shutdown'],
};
const endpoints = Object.entries(checks);

const listing = (lines: readonly string[]) => `${lines.join('\n')}\n`;

describe.each(endpoints)('/%s', (endpoint, names) => {
  it('is short when all is well', async () => {
    const { status, headers, text } = await api.get(`/${endpoint}`);
    expect(status).toBe(200);
    expect(text).toBe('ok');
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache, private',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each(['verbose', 'verbose=', 'verbose=false'])('lists its checks with ?%s', async (query) => {
    const { status, text } = await api.get(`/${endpoint}?${query}`);
    expect(status).toBe(200);
    expect(text).toBe(listing([...names.map((name) => `[+]${name} ok`), 'healthz check passed']));
  });

  it('leaves out what is excluded', async () => {
    const { text } = await api.get(`/${endpoint}?verbose&exclude=ping&exclude=etcd`);
    const line = (name: string) => (['ping', 'etcd'].includes(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`);
    expect(text).toBe(listing([...names.map(line), 'healthz check passed']));
    expect((await api.get(`/${endpoint}?exclude=ping`)).text).toBe('ok');
  });

  it('says what cannot be excluded', async () => {
    const { status, text } = await api.get(`/${endpoint}?verbose&exclude=zeta&exclude=alpha,beta`);
    expect(status).toBe(200);
    const warning = 'warn: some health checks cannot be excluded: no matches for "alpha,beta","zeta"';
    expect(text).toBe(listing([...names.map((name) => `[+]${name} ok`), warning, 'healthz check passed']));
  });

  it.each(names)('has a path for %s', async (name) => {
    const { status, headers, text } = await api.get(`/${endpoint}/${name}`);
    expect(status).toBe(200);
    expect(text).toBe('ok');
    expect(headers).not.toHaveProperty('x-content-type-options');
  });

  it.each(['gadget', '', 'ping/', 'ping/more', '%zz'])('has no path for %j', async (name) => {
    const { status, text } = await api.get(`/${endpoint}/${name}`);
    if (name === '%zz') expect(status).toBe(400);
    else expect({ status, text }).toEqual({ status: 404, text: '404 page not found\n' });
  });

  it.each(['POST', 'HEAD', 'PUT', 'DELETE'])('does not mind the method %s', async (method) => {
    const { status, text } = await api.call(method, `/${endpoint}`);
    expect({ status, text }).toEqual({ status: 200, text: method === 'HEAD' ? '' : 'ok' });
  });
});

it('lists the checks at the root', async () => {
  const { paths } = (await api.get('/')).body;
  expect(paths).toEqual(
    expect.arrayContaining(
      endpoints.flatMap(([name, all]) => [`/${name}`, ...all.map((check) => `/${name}/${check}`)]),
    ),
  );
});

describe('a server that stops', () => {
  it('is not ready any more but serves on for a while', async () => {
    const stopping = await TestApi.start({ shutdownDelayMs: 6_000 });
    const watch = await stopping.watch('/api/v1/namespaces?watch=1');
    expect(await watch.take(4)).toHaveLength(4);
    const stopped = stopping.server.stop();

    const { status, text } = await stopping.get('/readyz');
    expect(status).toBe(500);
    const lines = checks.readyz.map((name) =>
      name === 'shutdown' ? '[-]shutdown failed: reason withheld' : `[+]${name} ok`,
    );
    expect(text).toBe(listing([...lines, 'readyz check failed']));
    const shutdown = await stopping.get('/readyz/shutdown');
    expect(shutdown).toMatchObject({ status: 500, text: 'internal server error: process is shutting down\n' });
    expect((await stopping.get('/readyz?exclude=shutdown')).text).toBe('ok');
    expect((await stopping.get('/livez')).text).toBe('ok');

    // New requests and new watches are served during the delay.
    expect((await stopping.post('/api/v1/namespaces', { metadata: { name: 'late' } })).status).toBe(200);
    expect(await watch.take(1)).toEqual(['ADDED late']);
    await stopped;
    await watch.ended;
    expect(await watch.next()).toBeUndefined();
    await expect(stopping.get('/livez')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
    await stopping.stop();
  });
});
