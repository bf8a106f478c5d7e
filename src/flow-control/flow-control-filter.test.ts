import { describe, expect, it } from 'vitest';
import { InMemoryExchange } from '../http/discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { RequestContext } from '../http/request-context.ts';
import { requestInfo } from '../http/request-info.ts';
import { FlowControl } from './flow-control.ts';
import { flowControlFilter } from './flow-control-filter.ts';
import { inFlightLimit } from './in-flight-limit.ts';
import { mandatoryObjects, suggestedObjects } from './objects/default-objects.ts';
import { RunningRequests } from './running-requests.ts';

const formats = new ObjectFormats(['json']);
const largeList = '/api/v1/namespaces/crowd/pods';

function contextOf(user: string, method: string, url: string): RequestContext {
  const exchange = new InMemoryExchange(url, { method });
  const context = new RequestContext(exchange, requestInfo(method, exchange.path, exchange.query), formats);
  context.user = { name: user, uid: '', groups: ['system:authenticated'], extra: {} };
  return context;
}

/** A server whose requests end when the test says so, and the order in which they start. */
function server(seats: number) {
  // The time stands still, so that no turn of the event loop is ever full.
  let now = 0;
  const control = new FlowControl({ seats, now: () => now });
  for (const level of [...mandatoryObjects.levels, ...suggestedObjects.levels]) control.putLevel(level);
  for (const schema of [...mandatoryObjects.schemas, ...suggestedObjects.schemas]) control.putSchema(schema);
  const running = new RunningRequests();
  const filter = flowControlFilter({
    control,
    running,
    requestTimeoutMs: 60_000,
    findLoad: ({ namespace }) => ({ objects: namespace === 'crowd' ? 10_000 : 1, watches: 0, meanBytes: 0 }),
  });
  const begun: string[] = [];
  const open: (() => void)[] = [];
  const results: unknown[] = [];
  const send = (user: string, method: string, url: string): unknown => {
    const context = contextOf(user, method, url);
    const result = filter(context, () => {
      begun.push(`${user} ${method}`);
      // Reads of one object respond synchronously, the others wait.
      return method === 'GET' && url !== largeList ? undefined : new Promise((resolve) => open.push(resolve));
    });
    results.push(result);
    return result;
  };
  const endOne = async (): Promise<void> => {
    now += 5;
    open.shift()?.();
    // A request ends after a few microtasks.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { control, running, begun, open, results, send, endOne };
}

describe('a flood of lists and creates', () => {
  it('leaves seats to the small requests of others, which begin at once', () => {
    const { send, begun, control } = server(600);
    for (let count = 0; count < 200; count++) send('mallory', 'GET', largeList);
    // Three lists of eight seats.
    expect(begun).toHaveLength(3);
    expect(send('jane', 'GET', '/api/v1/namespaces/a/pods/p')).toBeUndefined();
    expect(begun.at(-1)).toBe('jane GET');
    const level = control.levels.find(({ name }) => name === 'global-default')!;
    expect([level.queues.waiting, level.queues.seatsInUse]).toEqual([197, 24]);
  });

  it('lets a request of others begin before those that wait longer, when all seats are taken', async () => {
    const { send, begun, endOne } = server(600);
    for (let count = 0; count < 300; count++) send('mallory', 'POST', '/api/v1/namespaces/a/pods');
    expect(begun).toHaveLength(49);
    send('jane', 'GET', '/api/v1/namespaces/a/pods/p');
    send('alice', 'POST', '/api/v1/namespaces/a/pods');
    expect(begun).toHaveLength(49);
    for (let count = 0; count < 3; count++) await endOne();
    expect(begun.slice(49)).toContain('jane GET');
    expect(begun.slice(49)).toContain('alice POST');
  });

  it('does not delay leases, which have a level of their own', () => {
    const { send, begun } = server(600);
    for (let count = 0; count < 300; count++) send('mallory', 'POST', '/api/v1/namespaces/a/pods');
    send('system:kube-scheduler', 'PUT', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/s');
    expect(begun.at(-1)).toBe('system:kube-scheduler PUT');
  });

  it('delays everybody when only requests are counted', () => {
    const filter = inFlightLimit({ maxRequestsInFlight: 400, maxMutatingRequestsInFlight: 200 });
    const begun: string[] = [];
    const send = (user: string, method: string, url: string) => {
      const context = contextOf(user, method, url);
      void filter(context, () => {
        begun.push(user);
        return new Promise(() => {});
      });
      return context.exchange.responded;
    };
    for (let count = 0; count < 400; count++) send('mallory', 'GET', largeList);
    for (let count = 0; count < 200; count++) send('mallory', 'POST', '/api/v1/namespaces/a/pods');
    expect(begun).toHaveLength(600);
    expect(send('jane', 'GET', '/api/v1/namespaces/a/pods/p')).toBe(true);
    expect(send('system:kube-scheduler', 'PUT', '/apis/coordination.k8s.io/v1/namespaces/a/leases/s')).toBe(true);
    expect(begun).toHaveLength(600);
  });
});

it('gives back the seats of requests that fail, at once or later', async () => {
  const { control } = server(600);
  const filter = flowControlFilter({
    control,
    running: new RunningRequests(),
    requestTimeoutMs: 1000,
    findLoad: () => undefined,
  });
  const context = () => contextOf('jane', 'GET', '/api/v1/nodes');
  expect(() =>
    filter(context(), () => {
      throw new Error('at once');
    }),
  ).toThrow('at once');
  await expect(filter(context(), () => Promise.reject(new Error('later')))).rejects.toThrow('later');
  expect(control.levels.every(({ isIdle }) => isIdle)).toBe(true);
});

it('needs little memory for requests that wait', async () => {
  const { control, send, running, open, results, begun } = server(600);
  const queuing = { queues: 256, handSize: 1, queueLengthLimit: 1000 };
  const limitResponse = { type: 'Queue', queuing };
  control.putLevel({
    metadata: { name: 'global-default' },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 20, limitResponse } },
  });
  const heap = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (let count = 0; count < 10_000; count++) send(`user ${count % 1000}`, 'POST', '/api/v1/namespaces/a/pods');
  const level = control.levels.find(({ name }) => name === 'global-default')!;
  expect(level.queues.waiting).toBe(10_000 - 49);
  // This includes the context of each request, which the server has anyway.
  expect((heap() - before) / 10_000).toBeLessThan(32 * 1024);
  expect([...running].length).toBe(10_000);
  while (open.length > 0) {
    for (const end of open.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(results);
  expect(begun.length).toBe(10_000);
  expect([...running].length).toBe(0);
  expect(level.isIdle).toBe(true);
});
