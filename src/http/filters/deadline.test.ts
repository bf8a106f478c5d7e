import { describe, expect, it, vi } from 'vitest';
import { MetricsRegistry } from '../../metrics/index.ts';
import { InMemoryExchange } from '../discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../object-formats.ts';
import { countLate } from '../observation/late-requests.ts';
import type { Handler } from '../pipeline.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { deadline } from './deadline.ts';

function run(path: string, handler: Handler, maximum = 1000) {
  const exchange = new InMemoryExchange(path);
  const context = new RequestContext(
    exchange,
    requestInfo('GET', exchange.path, exchange.query),
    new ObjectFormats(['json']),
  );
  return { exchange, context, result: deadline(maximum)(context, handler) };
}

const never: Handler = () => new Promise<void>(() => {});
const timedOut = expect.objectContaining({
  status: expect.objectContaining({
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within the allotted timeout',
    details: {},
  }),
});

describe('deadline', () => {
  it.each([
    ['the server', '/api/v1/pods', 1000],
    ['the client', '/api/v1/pods?timeout=20ms', 20],
    ['the server, for a client that asks for more', '/api/v1/pods?timeout=1h', 1000],
    ['the server, for a client that asks for nothing', '/api/v1/pods?timeout=0s', 1000],
  ])('is what is allowed by %s', async (_who, path, milliseconds) => {
    vi.useFakeTimers();
    try {
      const { result } = run(path, never);
      const outcome = vi.fn();
      const ended = Promise.resolve(result).then(outcome, outcome);
      await vi.advanceTimersByTimeAsync(milliseconds - 1);
      expect(outcome).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await ended;
      expect(outcome).toHaveBeenCalledWith(timedOut);
    } finally {
      vi.useRealTimers();
    }
  });

  it('may exceed the maximum delay of a timer', async () => {
    const { result } = run(
      '/api/v1/pods',
      () => new Promise((resolve) => setImmediate(resolve)),
      1000 * 60 * 60 * 24 * 365,
    );
    await expect(result).resolves.toBeUndefined();
  });

  it('does not affect responses that are ready or have begun, nor watches', async () => {
    expect(run('/api/v1/pods', () => {}).result).toBeUndefined();
    const watch = run('/api/v1/pods?watch=1', never).result;
    expect(watch).toBeInstanceOf(Promise);
    vi.useFakeTimers();
    try {
      const begun = run('/api/v1/pods', ({ exchange }) => {
        exchange.respond(200, {}, '');
        return new Promise<void>((resolve) => setTimeout(resolve, 5000));
      });
      await vi.advanceTimersByTimeAsync(5000);
      await expect(begun.result).resolves.toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['x', 'time: invalid duration "x"'],
    ['5', 'time: missing unit in duration "5"'],
  ])('must be a duration: %s', (text, cause) => {
    expect(() => run(`/api/v1/pods?timeout=${text}`, never)).toThrow(
      `invalid timeout specified in the request URL - ${cause}`,
    );
  });
});

it('counts how handlers end after the deadline', async () => {
  vi.useFakeTimers();
  try {
    const registry = new MetricsRegistry();
    const filter = deadline(10, countLate(registry));
    for (const end of [() => {}, () => Promise.reject(new Error('late'))]) {
      const handler = Promise.withResolvers<void>();
      const { context, result } = run('/api/v1/pods', () => {});
      await result;
      const refused = expect(filter(context, () => handler.promise)).rejects.toEqual(timedOut);
      await vi.advanceTimersByTimeAsync(10);
      await refused;
      handler.resolve(end());
      await vi.advanceTimersByTimeAsync(0);
    }
    const text = await registry.render({ isOpenMetrics: false });
    const name = 'apiserver_request_post_timeout_total';
    expect(text).toContain(`${name}{source="timeout-handler",status="ok"} 1`);
    expect(text).toContain(`${name}{source="timeout-handler",status="error"} 1`);
  } finally {
    vi.useRealTimers();
  }
});
