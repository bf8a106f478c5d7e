import { describe, expect, it } from 'vitest';
import type { AuditSink } from '../../audit/index.ts';
import { schemaOf } from '../../resources/index.ts';
import { respondText } from '../render.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { RequestAudit } from './audit.ts';
import { alice, formats, policy, responding, run, TestExchange } from './audited-run.conformance.ts';

describe('a blocking log', () => {
  /** Stores an event when the test lets it. */
  class Gate implements AuditSink {
    readonly waiting: ((isStored: boolean) => void)[] = [];

    write(): Promise<boolean> {
      return new Promise((resolve) => this.waiting.push(resolve));
    }
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('has the event before the request proceeds, and before the response', async () => {
    const sink = new Gate();
    const exchange = new TestExchange('/api/v1/pods');
    let isHandled = false;
    const done = run('/api/v1/pods', {
      sink,
      exchange,
      handler: (context) => {
        isHandled = true;
        return responding({})(context);
      },
    });
    await turn();
    expect(isHandled).toBe(false);
    sink.waiting.shift()!(true);
    await turn();
    expect(isHandled).toBe(true);
    expect(exchange.responded).toBe(false);
    sink.waiting.shift()!(true);
    await done;
    await turn();
    expect(exchange.response.status).toBe(200);
  });

  it('delays the end of a streamed response', async () => {
    const sink = new Gate();
    const exchange = new TestExchange('/api/v1/pods');
    void run('/api/v1/pods', {
      sink,
      exchange,
      handler: ({ exchange }) => {
        const stream = exchange.respondStream(200, {});
        stream.write(Buffer.from('a'));
        stream.end();
      },
    });
    sink.waiting.shift()!(true);
    await turn();
    expect(exchange.stream.chunks).toEqual(['a']);
    expect(exchange.stream.closed).toBe(false);
    sink.waiting.shift()!(true);
    await turn();
    expect(exchange.stream.closed).toBe(true);
  });

  it('fails the request when the event cannot be stored', async () => {
    const sink: AuditSink = { write: () => Promise.resolve(false) };
    const { exchange } = await run('/api/v1/pods?a=1', { sink, handler: () => expect.unreachable() });
    expect(exchange.response.status).toBe(500);
    expect(exchange.response.body.toString()).toBe(
      'Internal Server Error: "/api/v1/pods?a=1": failed to store audit event\n',
    );
  });

  it('does not answer twice', async () => {
    const sink = new Gate();
    const exchange = new TestExchange('/api/v1/pods');
    const done = run('/api/v1/pods', { sink, exchange, handler: responding({ late: true }) });
    sink.waiting.shift()!(true);
    await turn();
    exchange.respond(504, {}, '');
    sink.waiting.shift()!(true);
    await done;
    await turn();
    expect(exchange.response.status).toBe(504);
    expect(exchange.isAborted).toBe(false);
  });

  it('may be slower than the deadline', async () => {
    const sink = new Gate();
    const exchange = new TestExchange('/api/v1/pods');
    const context = new RequestContext(exchange, requestInfo('GET', exchange.path, exchange.query), formats);
    context.user = alice;
    const audit = new RequestAudit({ policy: policy('Metadata'), sink, schemaOf });
    const handled = audit.filter(context, () => expect.unreachable());
    respondText(context.exchange, 504, 'too late');
    for (const resolve of sink.waiting) resolve(true);
    await handled;
    await turn();
    expect(exchange.response.status).toBe(504);
    expect(sink.waiting).toHaveLength(2);
  });
});
