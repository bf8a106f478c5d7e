import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAuditLog } from '../../audit/index.ts';
import { schemaOf } from '../../resources/index.ts';
import type { Exchange } from '../exchange.ts';
import { caCert, connectHttp2, listen } from '../listener/test-listener.conformance.ts';
import { pipeline } from '../pipeline.ts';
import { headersOf } from '../render.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { RequestAudit } from './audit.ts';
import { alice, formats, policy } from './audited-run.conformance.ts';
import { deadline } from './deadline.ts';
import { recover } from './recover.ts';

/** A listener that echoes bodies, streams lists and endless watches, and writes a real log. */
async function serve(mode: 'blocking' | 'batch') {
  const directory = await mkdtemp(join(tmpdir(), 'audit-'));
  const path = join(directory, 'audit.log');
  const log = await openAuditLog({ path, mode });
  onTestFinished(async () => {
    await log.close();
    await rm(directory, { recursive: true });
  });
  const audit = new RequestAudit({ policy: policy('RequestResponse'), sink: log, schemaOf });
  const handler = pipeline([recover(() => {}), deadline(5000), audit.filter], async ({ exchange, info }) => {
    const headers = headersOf(exchange, 'application/json');
    const body = await exchange.readBody(1e6);
    if (info.verb === 'create') return exchange.respond(201, headers, body);
    const stream = exchange.respondStream(200, headers);
    stream.write(Buffer.from('{"kind":"PodList","items":['));
    if (info.verb === 'watch') return;
    stream.write(Buffer.from(']}'));
    stream.end();
  });
  const listener = await listen((exchange: Exchange) => {
    const context = new RequestContext(exchange, requestInfo(exchange.method, exchange.path, exchange.query), formats);
    context.user = alice;
    void handler(context);
  });
  return {
    listener,
    log,
    lines: async () =>
      (await readFile(path, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

describe.each(['blocking', 'batch'] as const)('a log in %s mode, behind a listener', (mode) => {
  it('has what came over HTTP/1.1', async () => {
    const { listener, log, lines } = await serve(mode);
    const send = async (path: string, method: string, body?: string) => {
      const agent = new https.Agent({ ca: caCert });
      const request = https.request({ host: '127.0.0.1', port: listener.port, path, method, agent }).end(body);
      const [response] = await once(request, 'response');
      return { response, request };
    };
    const pod = { kind: 'Pod', metadata: { name: 'p' } };
    const created = await send('/api/v1/namespaces/n/pods', 'POST', JSON.stringify(pod));
    expect(JSON.parse(await text(created.response))).toEqual(pod);
    const listed = await send('/api/v1/pods', 'GET');
    expect(await text(listed.response)).toBe('{"kind":"PodList","items":[]}');
    const watched = await send('/api/v1/pods?watch=1', 'GET');
    await once(watched.response, 'data');
    watched.request.destroy();
    await expect.poll(async () => (await lines()).length).toBe(7);
    await log.close();
    const events = await lines();
    expect(events.map(({ verb, stage }) => `${verb} ${stage}`)).toEqual([
      'create RequestReceived',
      'create ResponseComplete',
      'list RequestReceived',
      'list ResponseComplete',
      'watch RequestReceived',
      'watch ResponseStarted',
      'watch ResponseComplete',
    ]);
    expect(events[1]).toMatchObject({
      requestObject: pod,
      responseObject: pod,
      auditID: created.response.headers['audit-id'],
    });
    expect(events[3]).toMatchObject({ responseObject: { kind: 'PodList', items: [] } });
    expect(events[6]).not.toHaveProperty('responseObject');
  });

  it('has what came over HTTP/2', async () => {
    const { listener, lines } = await serve(mode);
    const session = connectHttp2(listener);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => text(session.request({ ':path': `/api/v1/pods?n=${index}` }))),
    );
    expect(new Set(responses)).toEqual(new Set(['{"kind":"PodList","items":[]}']));
    const watch = session.request({ ':path': '/api/v1/pods?watch=1' });
    await once(watch, 'data');
    watch.close();
    await expect.poll(async () => (await lines()).length).toBe(43);
  });
});
