import { describe, expect, it } from 'vitest';
import { InMemoryExchange } from '../discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../object-formats.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { InFlight } from './in-flight.ts';

function request(path: string): RequestContext {
  const exchange = new InMemoryExchange(path);
  return new RequestContext(exchange, requestInfo('GET', exchange.path, exchange.query), new ObjectFormats(['json']));
}

const pods = () => request('/api/v1/pods');

async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  promise.then(done, done);
  await new Promise((resolve) => setImmediate(resolve));
  return !settled;
}

describe('InFlight', () => {
  it('waits for the last request', async () => {
    const inFlight = new InFlight();
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const running = [inFlight.filter(pods(), () => first.promise), inFlight.filter(pods(), () => second.promise)];
    const closed = inFlight.close();
    first.resolve();
    expect(await isOpen(closed)).toBe(true);
    second.resolve();
    await Promise.all([...running, closed]);
  });

  it('does not count requests that failed', async () => {
    const inFlight = new InFlight();
    expect(() =>
      inFlight.filter(pods(), () => {
        throw new Error('at once');
      }),
    ).toThrow('at once');
    await expect(inFlight.filter(pods(), () => Promise.reject(new Error('later')))).rejects.toThrow('later');
    inFlight.filter(pods(), () => {});
    await inFlight.close();
  });

  it('rejects requests after close', async () => {
    const inFlight = new InFlight();
    await inFlight.close();
    const late = () => inFlight.filter(pods(), () => expect.unreachable());
    expect(late).toThrow(
      expect.objectContaining({
        status: expect.objectContaining({
          code: 503,
          message: 'apiserver is shutting down',
          details: { retryAfterSeconds: 1 },
        }),
      }),
    );
  });

  it('does not wait for watches', async () => {
    const inFlight = new InFlight();
    void inFlight.filter(request('/api/v1/pods?watch=1'), () => new Promise(() => {}));
    await expect(inFlight.close()).resolves.toBeUndefined();
  });
});
