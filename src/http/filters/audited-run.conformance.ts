import { expect } from 'vitest';
import { type AuditEvent, AuditPolicy, type AuditSink, type Level } from '../../audit/index.ts';
import { schemaOf } from '../../resources/index.ts';
import { InMemoryExchange } from '../discovery/in-memory-exchange.ts';
import type { ResponseStream } from '../exchange.ts';
import { ObjectFormats } from '../object-formats.ts';
import { type Handler, pipeline } from '../pipeline.ts';
import { headersOf } from '../render.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { RequestAudit } from './audit.ts';
import { recover } from './recover.ts';

// Shared by the audit tests: a request that runs through the relevant filters.

export interface TestRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

export class TestStream implements ResponseStream {
  readonly chunks: string[] = [];
  readonly pendingBytes = 0;
  closed = false;

  write(chunk: Buffer): boolean {
    this.chunks.push(chunk.toString());
    return true;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  end(): void {
    this.closed = true;
  }
}

/** Has a body, keeps a streamed response, and its client can disconnect. */
export class TestExchange extends InMemoryExchange {
  readonly stream = new TestStream();
  readonly gone = new AbortController();
  override readonly signal = this.gone.signal as InMemoryExchange['signal'];
  streamed: number | undefined;
  isAborted = false;
  readonly #body: Buffer;

  constructor(url: string, { body = '', ...options }: TestRequest = {}) {
    super(url, options);
    this.#body = Buffer.from(body as string);
  }

  override get responded(): boolean {
    return super.responded || this.streamed !== undefined;
  }

  override readBody(): Promise<Buffer> {
    return Promise.resolve(this.#body);
  }

  override respondStream(status?: number): ResponseStream {
    this.streamed = status!;
    return this.stream;
  }

  override abort(): void {
    this.isAborted = true;
  }
}

export class Events implements AuditSink {
  readonly all: AuditEvent[] = [];

  write(event: AuditEvent): boolean {
    this.all.push(JSON.parse(JSON.stringify(event)));
    return true;
  }
}

export const policy = (level: Level, rest: object = {}): AuditPolicy =>
  new AuditPolicy(JSON.stringify({ kind: 'Policy', apiVersion: 'audit.k8s.io/v1', rules: [{ level }], ...rest }));

export const alice = { name: 'alice', uid: 'u1', groups: ['g', 'system:authenticated'], extra: { b: ['2'], a: ['1'] } };
export const formats = new ObjectFormats(['json', 'yaml', 'protobuf', 'cbor']);

interface Run {
  level?: Level;
  rules?: object;
  sink?: AuditSink;
  handler: Handler;
  exchange?: TestExchange;
  user?: typeof alice | undefined;
}

/** Runs a request through the relevant filters. */
export async function run(url: string, { level = 'Metadata', rules, handler, ...rest }: Run & TestRequest) {
  const events = new Events();
  const { sink = events, exchange = new TestExchange(url, rest) } = rest;
  const audit = new RequestAudit({ policy: policy(level, rules), sink, schemaOf });
  const context = new RequestContext(exchange, requestInfo(exchange.method, exchange.path, exchange.query), formats);
  context.user = 'user' in rest ? rest.user : alice;
  const faults: Error[] = [];
  await pipeline([recover((error) => faults.push(error)), audit.filter], handler)(context);
  return { events: events.all, exchange, context, faults };
}

export const responding =
  (value: object, status = 200): Handler =>
  ({ exchange }) =>
    exchange.respond(status, headersOf(exchange, 'application/json'), JSON.stringify(value));

export const reading =
  (value: object, status = 200): Handler =>
  async (context) => {
    await context.exchange.readBody(1e6);
    return responding(value, status)(context);
  };

export const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
export const stagesOf = (events: readonly AuditEvent[]): string[] => events.map(({ stage }) => stage);
