import { expect, it } from 'vitest';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { type EventLimit, eventRateLimit } from './event-rate-limit.ts';

const events = testTarget('/events', 'Event');

interface Write {
  readonly namespace?: string;
  readonly user?: string;
  readonly object?: object;
  readonly dryRun?: boolean;
}

function limited(...limits: Partial<EventLimit>[]) {
  let now = 0;
  const full = limits.map((limit) => ({ type: 'Server', qps: 1, burst: 2, cacheSize: 8, ...limit }) as EventLimit);
  const plugin = eventRateLimit(full, () => now);
  const write = ({ user = 'jane', object = {}, ...rest }: Write = {}): string => {
    const userInfo = { name: user, uid: '', groups: [], extra: {} };
    try {
      plugin.validate!(
        testRequest(events, { ...rest, user: userInfo, object: { metadata: {}, ...object } }),
        {} as never,
      );
      return 'ok';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const pass = (seconds: number): void => {
    now += seconds * 1000;
  };
  return { write, pass };
}

it('allows a burst, and then as many as the rate', () => {
  const { write, pass } = limited({ type: 'Server', qps: 2, burst: 3 });
  const refusal = 'limit reached on type Server for key ';
  expect([write(), write(), write(), write()]).toEqual(['ok', 'ok', 'ok', refusal]);
  pass(0.4);
  expect(write()).toBe(refusal);
  pass(0.1);
  expect([write(), write()]).toEqual(['ok', refusal]);
  pass(1000);
  expect([write(), write(), write(), write()]).toEqual(['ok', 'ok', 'ok', refusal]);
});

it('answers 429', () => {
  const plugin = eventRateLimit([{ type: 'Server', qps: 1, burst: 1, cacheSize: 1 }], () => 0);
  const request = testRequest(events);
  plugin.validate!(request, {} as never);
  expect(() => plugin.validate!(request, {} as never)).toThrow(
    expect.objectContaining({ status: expect.objectContaining({ code: 429, reason: 'TooManyRequests' }) }),
  );
});

it('counts dry runs not at all', () => {
  const { write } = limited({ burst: 1 });
  expect([write({ dryRun: true }), write({ dryRun: true }), write()]).toEqual(['ok', 'ok', 'ok']);
});

const origin = (name: string): Write => ({
  object: { source: { component: 'c' }, involvedObject: { kind: 'Pod', name, namespace: 'ns' } },
});

it.each<[type: EventLimit['type'], first: Write, second: Write, key: string]>([
  ['Namespace', { namespace: 'a' }, { namespace: 'b' }, 'a'],
  ['User', { user: 'a' }, { user: 'b' }, 'a'],
  ['SourceAndObject', origin('a'), origin('b'), 'cPodnsa'],
])('counts for each %s', (type, first, second, key) => {
  const { write } = limited({ type, burst: 1 });
  expect([write(first), write(second), write(first)]).toEqual([
    'ok',
    'ok',
    `limit reached on type ${type} for key ${key}`,
  ]);
});

it('forgets the least recently used', () => {
  const { write } = limited({ type: 'User', burst: 1, cacheSize: 2 });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map((user) => write({ user }) === 'ok')).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
});

it('reports all limits that are reached', () => {
  const { write } = limited({ type: 'User', burst: 1 }, { type: 'Namespace', burst: 1 });
  write();
  expect(write()).toBe('[limit reached on type User for key jane, limit reached on type Namespace for key ns]');
});
