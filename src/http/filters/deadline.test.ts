import { describe, expect, it, vi } from 'vitest';
import { MetricsRegistry } from '../../metrics/index.ts';
import { InMemoryExchange } from '../discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../object-formats.ts';
import { countLate } from '../observation/late-requests.ts';
import { type Filter, type Handler, pipeline } from '../pipeline.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { deadline, writeDeadline } from './deadline.ts';

function run(path: string, handler: Handler, maximum = 1000, method = 'GET') {
  const exchange = new InMemoryExchange(path);
  const context = new RequestContext(
    exchange,
    requestInfo(method, exchange.path, exchange.query),
    new ObjectFormats(['json']),
  );
  const filter = pipeline([deadline(maximum), writeDeadline({ isPassedOn })], handler);
  return { exchange, context, result: filter(context) };
}

const isPassedOn = (path: string) => path.startsWith('/apis/other.example/');
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

  it.each([
    ['POST', '/api/v1/namespaces/a/configmaps', 34_000, 'requested'],
    ['PUT', '/api/v1/namespaces/a/configmaps/b', 34_000, 'requested'],
    ['PATCH', '/api/v1/namespaces/a/configmaps/b', 34_000, 'requested'],
    ['DELETE', '/api/v1/namespaces/a/configmaps/b', 34_000, 'requested'],
    ['POST', '/api/v1/namespaces/a/configmaps?timeout=2s', 2_000, 'requested'],
    ['DELETE', '/api/v1/namespaces/a/configmaps', 60_000, 'the allotted'],
    ['GET', '/api/v1/namespaces/a/configmaps', 60_000, 'the allotted'],
    ['POST', '/apis/other.example/v1/things', 60_000, 'the allotted'],
    ['POST', '/other', 60_000, 'the allotted'],
  ])('for %s %s is %i ms', async (method, path, milliseconds, text) => {
    vi.useFakeTimers();
    try {
      const outcome = vi.fn();
      const ended = Promise.resolve(run(path, never, 60_000, method).result).then(outcome, outcome);
      await vi.advanceTimersByTimeAsync(milliseconds - 1);
      expect(outcome).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await ended;
      expect(outcome.mock.calls[0]![0].status).toMatchObject({
        code: 504,
        message: expect.stringContaining(`within ${text} timeout`),
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('for a write does not include the time in a queue', async () => {
    vi.useFakeTimers();
    try {
      const queue: Filter = async (context, next) => {
        // A queue may hold the request for a quarter of the whole time.
        expect(context.deadline! - performance.now()).toBe(60_000);
        await vi.advanceTimersByTimeAsync(15_000);
        return next(context);
      };
      const { context } = run('/api/v1/namespaces/a/configmaps', () => {}, 60_000, 'POST');
      const handler = pipeline([deadline(60_000), queue, writeDeadline()], never);
      const outcome = vi.fn();
      const started = performance.now();
      const ended = Promise.resolve(handler(context)).then(outcome, outcome);
      await vi.advanceTimersByTimeAsync(33_999);
      expect(outcome).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await ended;
      expect(performance.now() - started).toBe(49_000);
      expect(outcome.mock.calls[0]![0].status.message).toContain('within requested timeout');
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
