import { describe, expect, it } from 'vitest';
import {
  listen,
  sendHttp1,
  sendHttp2,
  type TestRequest,
  type TestResponse,
} from '../listener/test-listener.conformance.ts';
import { autoregisterCompletionCheck, shutdownCheck } from './boot-checks.ts';
import { type HealthCheck, healthEndpoints } from './health-check.ts';
import { HealthChecks, type HealthChecksOptions } from './health-checks.ts';
import { pingCheck, servingCertificateCheck } from './process-checks.ts';

const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache, private' };

function check(name: string, more: Partial<HealthCheck> = {}): HealthCheck {
  return { name, endpoints: healthEndpoints, run: () => {}, ...more };
}

/** Serves the checks and returns a function that sends requests. */
async function serve(checks: readonly HealthCheck[], options: Partial<HealthChecksOptions> = {}) {
  const logged: string[] = [];
  const health = new HealthChecks({ log: (message) => logged.push(message), ...options });
  health.add(...checks);
  const listener = await listen((exchange) => {
    if (health.handle(exchange, exchange.path) === false) exchange.respond(418, {}, 'not health');
  });
  const send = (path: string, request: TestRequest = {}): Promise<TestResponse> =>
    sendHttp1(listener, { ...request, path });
  const text = async (path: string): Promise<string> => (await send(path)).body.toString();
  return { send, text, logged, listener };
}

const broken = (name: string, more: Partial<HealthCheck> = {}): HealthCheck =>
  check(name, {
    run: () => {
      throw new Error('disk on fire');
    },
    ...more,
  });
const brokenLater = (name: string, more: Partial<HealthCheck> = {}): HealthCheck =>
  check(name, { run: () => Promise.reject(new Error('disk on fire')), ...more });

/** A subset of kube-apiserver's checks, in its order. */
function usual(): HealthCheck[] {
  return [
    pingCheck,
    check('log'),
    servingCertificateCheck(() => new Date('2999-01-01')),
    check('etcd', { group: 'etcd', run: async () => {} }),
    check('etcd-readiness', { endpoints: ['readyz'], run: async () => {} }),
    check('poststarthook/rbac/bootstrap-roles'),
    autoregisterCompletionCheck(() => []),
    shutdownCheck(new AbortController().signal),
  ];
}

const livezLines = [
  '[+]ping ok',
  '[+]log ok',
  '[+]loopback-serving-certificate ok',
  '[+]etcd ok',
  '[+]poststarthook/rbac/bootstrap-roles ok',
  '[+]autoregister-completion ok',
];
const readyzLines = [
  '[+]ping ok',
  '[+]log ok',
  '[+]etcd ok',
  '[+]etcd-readiness ok',
  '[+]poststarthook/rbac/bootstrap-roles ok',
  '[+]autoregister-completion ok',
  '[+]shutdown ok',
];
const listing = (...lines: string[]): string => `${lines.join('\n')}\n`;

describe('a healthy server', () => {
  it.each(['livez', 'readyz', 'healthz'])('answers /%s with ok', async (endpoint) => {
    const { send } = await serve(usual());
    for (const query of ['', '?exclude=etcd', '?exclude=foo']) {
      const response = await send(`/${endpoint}${query}`);
      expect(response).toMatchObject({
        status: 200,
        headers: { ...textHeaders, 'x-content-type-options': 'nosniff', 'content-length': '2' },
      });
      expect(response.body.toString()).toBe('ok');
    }
  });

  it.each(['?verbose', '?verbose=', '?verbose=false', '?a=b&verbose=true'])(
    'lists its checks with %s',
    async (query) => {
      const { text } = await serve(usual());
      expect(await text(`/livez${query}`)).toBe(listing(...livezLines, 'healthz check passed'));
      expect(await text(`/healthz${query}`)).toBe(listing(...livezLines, 'healthz check passed'));
      expect(await text(`/readyz${query}`)).toBe(listing(...readyzLines, 'healthz check passed'));
    },
  );

  it('answers any method, and HEAD without a body', async () => {
    const { send } = await serve(usual());
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await send('/livez', { method });
      expect([response.status, response.body.toString()]).toEqual([200, 'ok']);
    }
    const head = await send('/livez', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': '2' } });
    expect(head.body).toHaveLength(0);
  });

  it('answers over HTTP/2', async () => {
    const { listener } = await serve(usual());
    expect((await sendHttp2(listener, { path: '/readyz' })).body.toString()).toBe('ok');
  });

  it('does not handle other paths', async () => {
    const { send } = await serve(usual());
    for (const path of ['/', '/livezz', '/api/livez', '/metrics']) expect((await send(path)).status).toBe(418);
  });
});

describe('exclusion', () => {
  it.each([
    ['exclude=etcd', { '[+]etcd ok': '[+]etcd excluded: ok' }],
    ['exclude=etcd&exclude=ping', { '[+]etcd ok': '[+]etcd excluded: ok', '[+]ping ok': '[+]ping excluded: ok' }],
    ['exclude=etcd&exclude=etcd', { '[+]etcd ok': '[+]etcd excluded: ok' }],
  ])('shows in the listing: %s', async (query, changed: Record<string, string>) => {
    const { text } = await serve(usual());
    const lines = livezLines.map((line) => changed[line] ?? line);
    expect(await text(`/livez?verbose&${query}`)).toBe(listing(...lines, 'healthz check passed'));
  });

  it.each([
    ['exclude=foo&exclude=bar', '"bar","foo"'],
    ['exclude=etcd,ping', '"etcd,ping"'],
    ['exclude=etcd-readiness', '"etcd-readiness"'],
    ['exclude=', '""'],
  ])('warns of checks that do not exist: %s', async (query, names) => {
    const { text } = await serve(usual());
    const warning = `warn: some health checks cannot be excluded: no matches for ${names}`;
    expect(await text(`/livez?verbose&${query}`)).toBe(listing(...livezLines, warning, 'healthz check passed'));
  });

  it('works by group, too', async () => {
    const { text } = await serve([broken('etcd-override-0', { group: 'etcd' }), broken('etcd', { group: 'etcd' })]);
    expect(await text('/livez?verbose&exclude=etcd')).toBe(
      listing('[+]etcd-override-0 excluded with etcd: ok', '[+]etcd excluded: ok', 'healthz check passed'),
    );
  });

  it('hides failures only if all failing checks are excluded', async () => {
    const checks = [broken('etcd', { group: 'etcd' }), brokenLater('etcd-readiness', { endpoints: ['readyz'] })];
    const { send } = await serve(checks);
    expect((await send('/livez?exclude=etcd')).status).toBe(200);
    expect((await send('/readyz?exclude=etcd')).status).toBe(500);
    expect((await send('/readyz?exclude=etcd&exclude=etcd-readiness')).status).toBe(200);
  });
});

describe('a failing check', () => {
  it.each([broken('etcd'), brokenLater('etcd')])('is listed without its reason, which is logged', async (failing) => {
    const { send, logged } = await serve([pingCheck, failing]);
    for (const endpoint of healthEndpoints) {
      for (const query of ['', '?verbose']) {
        const response = await send(`/${endpoint}${query}`);
        expect(response).toMatchObject({
          status: 500,
          headers: { ...textHeaders, 'x-content-type-options': 'nosniff' },
        });
        expect(response.body.toString()).toBe(
          listing('[+]ping ok', '[-]etcd failed: reason withheld', `${endpoint} check failed`),
        );
        expect(logged.pop()).toBe(`${endpoint} check failed: etcd: disk on fire`);
      }
    }
  });

  it('warns of unknown excludes as well', async () => {
    const { text } = await serve([broken('etcd')]);
    expect(await text('/readyz?exclude=x')).toBe(
      listing(
        '[-]etcd failed: reason withheld',
        'warn: some health checks cannot be excluded: no matches for "x"',
        'readyz check failed',
      ),
    );
  });
});

describe('a check by itself', () => {
  it.each([
    '/livez/ping',
    '/readyz/etcd-readiness',
    '/healthz/poststarthook/rbac/bootstrap-roles',
    '/livez/ping?verbose',
  ])('is ok: %s', async (path) => {
    const { send } = await serve(usual());
    const response = await send(path);
    expect(response).toMatchObject({ status: 200, headers: textHeaders });
    expect(response.headers['x-content-type-options']).toBeUndefined();
    expect(response.body.toString()).toBe('ok');
  });

  it.each(['/livez/foo', '/livez/', '/livez/shutdown', '/livez/etcd-readiness', '/readyz/%', '/livez/ping/'])(
    'is not found: %s',
    async (path) => {
      const { send } = await serve(usual());
      const response = await send(path);
      expect(response).toMatchObject({ status: 404, headers: { ...textHeaders, 'x-content-type-options': 'nosniff' } });
      expect(response.body.toString()).toBe('404 page not found\n');
    },
  );

  it.each([broken('etcd'), brokenLater('etcd')])('reports why it fails', async (failing) => {
    const { send } = await serve([failing]);
    const response = await send('/livez/etcd');
    expect(response).toMatchObject({ status: 500, headers: { 'x-content-type-options': 'nosniff' } });
    expect(response.body.toString()).toBe('internal server error: disk on fire\n');
  });
});

describe('the grace period', () => {
  it('forgives the boot sequence on /livez, and only there, until it is over', async () => {
    let time = 1000;
    const checks = [broken('poststarthook/x', { bootSequence: true })];
    const { send } = await serve(checks, { livezGracePeriod: 500, now: () => time });
    expect((await send('/livez')).status).toBe(200);
    expect((await send('/livez/poststarthook/x')).status).toBe(200);
    expect((await send('/readyz')).status).toBe(500);
    expect((await send('/healthz')).status).toBe(500);
    time = 1500;
    expect((await send('/livez')).status).toBe(500);
  });

  it('forgives nothing else', async () => {
    const { send } = await serve([broken('etcd')], { livezGracePeriod: 100_000 });
    expect((await send('/livez')).status).toBe(500);
  });
});

describe('HealthChecks', () => {
  it('takes a name only once', () => {
    const health = new HealthChecks({ log: () => {} });
    health.add(pingCheck);
    expect(() => health.add(pingCheck)).toThrow('health check ping exists already');
  });
});
