import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { EncodingName } from '../../codec/media-types.ts';
import { forbidden, StatusError, unauthorized } from '../../meta/status-error.ts';
import { schemaOf } from '../../resources/index.ts';
import type { ResponseStream, UpgradeOffer } from '../exchange.ts';
import { headersOf, respondText } from '../render.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import type { WatchOutput } from '../watch/watch-output.ts';
import { webSocketStream } from '../web-socket.ts';
import { RequestAudit } from './audit.ts';
import { Events, formats, policy, responding, run, stagesOf, TestExchange, time } from './audited-run.conformance.ts';
import { recover } from './recover.ts';

describe('RequestAudit', () => {
  it('skips requests that the policy excludes', async () => {
    const { events, exchange, context } = await run('/api/v1/pods', { level: 'None', handler: responding({}) });
    expect(events).toEqual([]);
    expect(context.exchange).toBe(exchange);
  });

  it('logs a request and its response, with fields in order', async () => {
    const { events, exchange } = await run('/apis/apps/v1/namespaces/n/deployments/d/scale?a=1', {
      headers: { 'Audit-ID': 'mine', 'User-Agent': 'agent', 'X-Forwarded-For': '1.2.3.4' },
      handler: (context) => {
        context.decision = { decision: 'allow', reason: 'RBAC: allowed' };
        return responding({ kind: 'Scale' })(context);
      },
    });
    const common = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'mine',
    };
    const request = {
      requestURI: '/apis/apps/v1/namespaces/n/deployments/d/scale?a=1',
      verb: 'get',
      user: { username: 'alice', uid: 'u1', groups: ['g', 'system:authenticated'], extra: { a: ['1'], b: ['2'] } },
      sourceIPs: ['1.2.3.4', '127.0.0.1'],
      userAgent: 'agent',
      objectRef: {
        resource: 'deployments',
        namespace: 'n',
        name: 'd',
        apiGroup: 'apps',
        apiVersion: 'v1',
        subresource: 'scale',
      },
    };
    const [received, complete] = events;
    expect(events).toEqual([
      { ...common, stage: 'RequestReceived', ...request, requestReceivedTimestamp: time, stageTimestamp: time },
      {
        ...common,
        stage: 'ResponseComplete',
        ...request,
        responseStatus: { metadata: {}, code: 200 },
        requestReceivedTimestamp: received!.requestReceivedTimestamp,
        stageTimestamp: time,
        annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': 'RBAC: allowed' },
      },
    ]);
    expect(received!.stageTimestamp).toBe(received!.requestReceivedTimestamp);
    expect(Object.keys(complete!).join()).toBe(
      'kind,apiVersion,level,auditID,stage,requestURI,verb,user,sourceIPs,userAgent,objectRef,responseStatus,' +
        'requestReceivedTimestamp,stageTimestamp,annotations',
    );
    expect(Object.keys(complete!.objectRef!).join()).toBe('resource,namespace,name,apiGroup,apiVersion,subresource');
    expect(exchange.response.headers['audit-id']).toBe('mine');
  });

  it('logs non-resource paths, without bodies', async () => {
    const { events } = await run('/version', { level: 'RequestResponse', handler: responding({ kind: 'Info' }) });
    expect(events[1]).not.toHaveProperty('objectRef');
    expect(events[1]).not.toHaveProperty('responseObject');
    expect(events[1]).toMatchObject({ verb: 'get', responseStatus: { metadata: {}, code: 200 } });
  });

  it('generates an audit ID, which the response carries', async () => {
    for (const headers of [{}, { 'audit-id': 'x'.repeat(200) }] as Record<string, string>[]) {
      const { events, exchange } = await run('/api/v1/pods', { headers, handler: responding({}) });
      expect(events[0]!.auditID).toMatch(/^[0-9a-f-]{36}$/);
      expect(events[1]!.auditID).toBe(events[0]!.auditID);
      expect(exchange.response.headers['audit-id']).toBe(events[0]!.auditID);
    }
  });

  it('leaves out the stages that the policy omits', async () => {
    const rules = { omitStages: ['RequestReceived'] };
    const { events } = await run('/api/v1/pods', { rules, handler: responding({}) });
    expect(stagesOf(events)).toEqual(['ResponseComplete']);
  });

  it('truncates long user agents', async () => {
    const { events } = await run('/version', { headers: { 'user-agent': 'x'.repeat(2000) }, handler: responding({}) });
    expect(events[0]!.userAgent).toBe(`${'x'.repeat(1024)}...TRUNCATED`);
  });

  it('names the object for a namespace and for a field selector', async () => {
    const namespace = await run('/api/v1/namespaces/n', { handler: responding({}) });
    expect(namespace.events[0]!.objectRef).toMatchObject({ resource: 'namespaces', namespace: 'n', name: 'n' });
    const selected = await run('/api/v1/pods?fieldSelector=metadata.name%3Da', { handler: responding({}) });
    expect(selected.events[0]!.objectRef).toMatchObject({ resource: 'pods', name: 'a' });
  });

  it('logs the impersonated user', async () => {
    const bob = { name: 'bob', uid: '', groups: ['h'], extra: { 'x/access-token': ['s3cr3t'] } };
    const { events } = await run('/api/v1/pods', {
      handler: (context) => {
        context.impersonator = context.user;
        context.user = bob;
        return responding({})(context);
      },
    });
    expect(events[0]).not.toHaveProperty('impersonatedUser');
    expect(events[1]).toMatchObject({
      user: { username: 'alice' },
      impersonatedUser: { username: 'bob', groups: ['h'], extra: { 'x/access-token': ['<redacted>'] } },
    });
  });
});

describe('errors', () => {
  it('are logged as the client sees them', async () => {
    const { events, exchange } = await run('/api/v1/namespaces/n/pods/p', {
      level: 'RequestResponse',
      handler: (context) => {
        context.decision = { decision: 'no-opinion', reason: 'no rule' };
        throw forbidden({ group: '', resource: 'pods' }, 'p', 'no');
      },
    });
    expect(exchange.response.status).toBe(403);
    expect(events[1]!.stage).toBe('ResponseComplete');
    expect(JSON.stringify(events[1]!.responseStatus)).toBe(
      '{"metadata":{},"status":"Failure","message":"pods \\"p\\" is forbidden: no","reason":"Forbidden",' +
        '"details":{"name":"p","kind":"pods"},"code":403}',
    );
    expect(events[1]!.responseObject).toMatchObject({ kind: 'Status', code: 403 });
    expect(events[1]!.annotations).toEqual({
      'authorization.k8s.io/decision': 'forbid',
      'authorization.k8s.io/reason': 'no rule',
    });
    expect(exchange.response.headers['audit-id']).toBe(events[1]!.auditID);
  });

  it.each<[string, EncodingName]>([
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf', 'protobuf'],
    ['application/cbor', 'cbor'],
  ])('are read in every encoding: %s', async (accept) => {
    const { events } = await run('/api/v1/namespaces/n/pods/p', {
      headers: { accept },
      handler: () => {
        throw forbidden({ group: '', resource: 'pods' }, 'p', 'no');
      },
    });
    expect(events[1]!.responseStatus).toMatchObject({ reason: 'Forbidden', details: { name: 'p' }, code: 403 });
  });

  it('have a code where there is no Status', async () => {
    const { events } = await run('/x', { handler: ({ exchange }) => respondText(exchange, 404, 'not found') });
    expect(events[1]!.responseStatus).toEqual({ metadata: {}, code: 404 });
  });

  it('in authorizers are not a decision', async () => {
    const { events } = await run('/api/v1/pods', {
      handler: (context) => {
        context.decision = { decision: 'no-opinion', reason: '', error: new Error('down') };
        throw new Error('Internal Server Error');
      },
    });
    expect(events[1]).toMatchObject({ stage: 'ResponseComplete', responseStatus: { code: 500 } });
    expect(events[1]!.annotations).toEqual({ 'authorization.k8s.io/reason': 'internal error' });
  });

  it('have a separate stage if they are programming errors', async () => {
    const { events, exchange, faults } = await run('/api/v1/pods', {
      handler: async () => {
        throw new TypeError('x is not a function');
      },
    });
    expect(stagesOf(events)).toEqual(['RequestReceived', 'Panic']);
    expect(events[1]!.responseStatus).toEqual({
      metadata: {},
      status: 'Failure',
      message: "APIServer panic'd: x is not a function",
      reason: 'InternalError',
      code: 500,
    });
    expect(exchange.response.status).toBe(500);
    expect(faults).toHaveLength(1);
  });

  it('in the middle of a response end it', async () => {
    const { events, exchange } = await run('/api/v1/pods', {
      handler: async ({ exchange }) => {
        exchange.respondStream(200, {}).write(Buffer.from('{'));
        throw new TypeError('no');
      },
    });
    expect(exchange.isAborted).toBe(true);
    expect(stagesOf(events)).toEqual(['RequestReceived', 'Panic']);
  });
});

describe('watches', () => {
  it('have a start and an end stage, without bodies', async () => {
    let stream: ResponseStream | undefined;
    const { events, exchange } = await run('/api/v1/pods?watch=1', {
      level: 'RequestResponse',
      handler: async ({ exchange }) => {
        stream = exchange.respondStream(200, headersOf(exchange, 'application/json'));
        stream.write(Buffer.from('{"type":"ADDED"}'));
      },
    });
    expect(stagesOf(events)).toEqual(['RequestReceived', 'ResponseStarted']);
    expect(events[1]!.responseStatus).toEqual({ metadata: {}, code: 200 });
    stream!.end();
    stream!.end();
    exchange.gone.abort();
    expect(stagesOf(events).slice(2)).toEqual(['ResponseComplete']);
    expect(events[2]).not.toHaveProperty('responseObject');
    expect(exchange.stream.closed).toBe(true);
    expect(stream!.closed).toBe(true);
  });

  it('end when the client goes away', async () => {
    const { events, exchange } = await run('/api/v1/pods?watch=1', {
      handler: async ({ exchange }) => void exchange.respondStream(200, {}),
    });
    exchange.gone.abort();
    expect(stagesOf(events)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  });

  it('have both stages for in-process readers, which get no bytes', async () => {
    const exchange = new TestExchange('/api/v1/pods?watch=1');
    const ends: (() => void)[] = [];
    const output = {} as WatchOutput;
    const eventReader = {
      accept: ({ onEnd }: { onEnd: () => void }) => {
        ends.push(onEnd);
        return output;
      },
    };
    Object.assign(exchange, { eventReader });
    let hasEnded = false;
    const { events } = await run(exchange.path, {
      exchange,
      handler: (context) => {
        const accepted = context.exchange.eventReader!.accept({ onEnd: () => (hasEnded = true) });
        expect(accepted).toBe(output);
      },
    });
    expect(stagesOf(events)).toEqual(['RequestReceived', 'ResponseStarted']);
    ends[0]!();
    expect(hasEnded).toBe(true);
    expect(stagesOf(events)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[2]).toMatchObject({ responseStatus: { code: 200 } });
  });

  it('may end before they begin', async () => {
    const exchange = new TestExchange('/api/v1/pods?watch=1');
    const { events } = await run(exchange.path, { exchange, handler: async () => exchange.gone.abort() });
    expect(stagesOf(events)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[2]!.responseStatus).toEqual({
      metadata: {},
      status: 'Success',
      message: 'Connection closed early',
      code: 200,
    });
  });

  it('have both stages when they are refused', async () => {
    const { events } = await run('/api/v1/pods?watch=1', {
      handler: () => {
        throw new StatusError({ code: 410, reason: 'Expired', message: 'too old' });
      },
    });
    expect(stagesOf(events)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[1]!.responseStatus).toMatchObject({ reason: 'Expired', code: 410 });
  });

  it.each<[string, Record<string, string>, number]>([
    ['switched', { origin: 'o', 'sec-websocket-version': '13' }, 101],
    ['refused', { origin: 'o' }, 400],
    ['refused for the origin', {}, 403],
  ])('over WebSockets: %s', async (_name, headers, code) => {
    const url = '/api/v1/pods?watch=1';
    const left = new AbortController();
    class WebSocketExchange extends TestExchange {
      override readonly signal = left.signal;
      override readonly upgrade = {
        protocol: 'websocket',
        needsKey: false,
        accept: () => new PassThrough(),
      } as UpgradeOffer as unknown as undefined;
    }
    const exchange = new WebSocketExchange(url, { headers });
    const { events } = await run(url, {
      exchange,
      handler: async ({ exchange }) => {
        webSocketStream(exchange, { binary: false });
        left.abort();
      },
    });
    expect(stagesOf(events)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[2]!.responseStatus).toEqual({ metadata: {}, code });
  });
});

describe('failed authentication', () => {
  it.each<[Record<string, string>, string, string]>([
    [{ authorization: 'Bearer s3cr3t' }, '', 'Authentication failed, attempted: bearer'],
    [{ authorization: 'Basic s3cr3t' }, '', 'Authentication failed, attempted: basic'],
    [{}, '?access_token=s3cr3t', 'Authentication failed, attempted: access_token'],
    [{}, '', 'Authentication failed, no credentials provided'],
  ])('is told with what was tried: %j%s', async (headers, query, message) => {
    const events = new Events();
    const audit = new RequestAudit({ policy: policy('Metadata'), sink: events, schemaOf });
    const exchange = new TestExchange(`/api/v1/pods${query}`, { headers });
    const context = new RequestContext(exchange, requestInfo('GET', exchange.path, exchange.query), formats);
    await recover(() => {})(context, (request) => {
      audit.failedAuthentication(request);
      throw unauthorized();
    });
    expect(exchange.response.status).toBe(401);
    expect(stagesOf(events.all)).toEqual(['ResponseStarted']);
    expect(events.all[0]).toMatchObject({ user: {}, objectRef: { resource: 'pods' } });
    expect(events.all[0]!.responseStatus).toEqual({
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Unauthorized',
      code: 401,
    });
    expect(JSON.stringify(events.all)).not.toContain('s3cr3t');
  });

  it('is not matched by policy rules for users', async () => {
    const events = new Events();
    const rules = { rules: [{ level: 'Metadata', users: ['alice'] }] };
    const audit = new RequestAudit({ policy: policy('None', rules), sink: events, schemaOf });
    const exchange = new TestExchange('/api/v1/pods');
    const context = new RequestContext(exchange, requestInfo('GET', exchange.path, exchange.query), formats);
    audit.failedAuthentication(context);
    expect(context.exchange).toBe(exchange);
  });
});
