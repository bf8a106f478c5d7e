import { describe, expect, it } from 'vitest';
import type { Handler } from '../pipeline.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { formats, run, TestExchange } from './audited-run.conformance.ts';
import { recover } from './recover.ts';

const text = ({ response }: TestExchange): string => JSON.parse(response.body.toString()).message;

/** A request without audit. */
async function plain(exchange: TestExchange, handler: Handler): Promise<Error[]> {
  const faults: Error[] = [];
  const context = new RequestContext(exchange, requestInfo('GET', exchange.path, exchange.query), formats);
  await recover((error) => faults.push(error))(context, handler);
  return faults;
}

/** A handler that forgets to return its promise: it responds later, unless another filter has responded. */
const forgetful: Handler = ({ exchange }) => {
  void Promise.resolve().then(() => {
    if (!exchange.responded) exchange.respond(200, {}, 'late');
  });
};

describe('a handler that ends without an answer', () => {
  it.each<[string, Handler]>([
    ['at once', () => {}],
    ['later', async () => {}],
    ['while it still works on one', forgetful],
  ])('is a fault that the client hears of: %s', async (_when, handler) => {
    const exchange = new TestExchange('/api');
    const faults = await plain(exchange, handler);
    expect(exchange.response.status).toBe(500);
    expect(text(exchange)).toBe('the request handler ended without a response');
    expect(faults).toHaveLength(1);

    const { events, exchange: audited, faults: auditedFaults } = await run('/api', { handler });
    expect(audited.response.status).toBe(500);
    expect(auditedFaults).toHaveLength(1);
    expect(events.map(({ stage, responseStatus }) => [stage, responseStatus?.code])).toEqual([
      ['RequestReceived', undefined],
      ['ResponseComplete', 500],
    ]);
  });

  it('is not reported when the client has disconnected', async () => {
    const exchange = new TestExchange('/api');
    const leave: Handler = async () => exchange.gone.abort();
    expect(await plain(exchange, leave)).toEqual([]);
    expect(exchange.responded).toBe(false);
  });
});
