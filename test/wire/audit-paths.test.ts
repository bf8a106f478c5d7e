import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { type ApiResponse, TestApi } from './api.ts';

// Tests all paths that are not resources with every kind of audit: auditing a request must not change its response.

interface Recorded {
  readonly auditID: string;
  readonly stage: string;
  readonly responseStatus?: { readonly code: number };
}

const health = ['livez', 'readyz', 'healthz'].flatMap((endpoint) => [
  `/${endpoint}`,
  `/${endpoint}?verbose`,
  `/${endpoint}?verbose&exclude=etcd`,
  `/${endpoint}?exclude=nothing`,
  `/${endpoint}/ping`,
  `/${endpoint}/etcd`,
  `/${endpoint}/log`,
  `/${endpoint}/poststarthook/rbac/bootstrap-roles`,
  `/${endpoint}/nothing`,
]);
const documents = [
  '/',
  '/version',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/nothing.example/v1',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/nothing',
  '/openid/v1/jwks',
  '/.well-known/openid-configuration',
  '/metrics',
  '/nothing',
  '/%zz',
];
const requests: [method: string, path: string][] = [
  ...[...health, ...documents].map((path): [string, string] => ['GET', path]),
  ...['HEAD', 'OPTIONS', 'POST', 'DELETE', 'PROPFIND'].flatMap((method) =>
    ['/livez', '/readyz/etcd', '/version', '/api', '/openapi/v2', '/openapi/v3', '/openid/v1/jwks', '/nothing'].map(
      (path): [string, string] => [method, path],
    ),
  ),
];

/** If stages are omitted, a part of the requests is enough. */
const isSelected = (index: number): boolean => index % 6 === 0;

/** Whether the document takes the server a long time to create. */
const isLarge = ([method, path]: (typeof requests)[number]): boolean =>
  ['GET', 'HEAD'].includes(method) && path.startsWith('/openapi/');

const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];
const kinds = [
  { level: 'Metadata', auditLogMode: 'blocking', omitStages: [] },
  { level: 'Request', auditLogMode: 'batch', omitStages: [] },
  { level: 'RequestResponse', auditLogMode: 'blocking-strict', omitStages: [] },
  { level: 'RequestResponse', auditLogMode: 'blocking', omitStages: ['RequestReceived'] },
  { level: 'Metadata', auditLogMode: 'blocking', omitStages: ['ResponseComplete', 'ResponseStarted'] },
  { level: 'Metadata', auditLogMode: 'blocking', omitStages: stages },
] as const;

/** Whether the document contains keys, addresses or numbers that differ between servers. */
const isOwn = (text: string): boolean => /jwk|openid|serverAddressByClientCIDRs|^# TYPE/m.test(text);

/** The responses of a server without auditing. */
const unaudited: unknown[] = [];
beforeAll(async () => {
  const plain = await TestApi.start();
  for (const [method, path] of requests) unaudited.push(comparable(await plain.call(method, path)));
  await plain.stop();
});

/** Returns the parts of a response that do not differ between servers or over time. */
const comparable = ({ status, headers, text }: ApiResponse): unknown => ({
  status,
  type: headers['content-type'],
  length: isOwn(text) ? undefined : text.length,
});

describe.each(kinds)('$level, $auditLogMode, without $omitStages', ({ level, auditLogMode, omitStages }) => {
  let directory: string;
  let api: TestApi;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'keelson-audit-paths-'));
    const auditPolicyFile = join(directory, 'policy.yaml');
    const rules = [{ level }];
    await writeFile(
      auditPolicyFile,
      JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages, rules }),
    );
    api = await TestApi.start({
      auditPolicyFile,
      auditLogPath: join(directory, 'audit.log'),
      auditLogMode,
    });
  });
  afterAll(async () => {
    await api.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const recorded = async (ids: readonly string[], expected: readonly string[]): Promise<void> => {
    const kept = expected.filter((stage) => !(omitStages as readonly string[]).includes(stage));
    const wanted = Object.fromEntries(ids.map((id) => [id, kept]));
    // A batch is written after the responses.
    await vi.waitFor(async () => {
      const lines = (await readFile(join(directory, 'audit.log'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
      const events = lines.map((line) => JSON.parse(line) as Recorded);
      const found = ids.map((id) => [id, events.filter(({ auditID }) => auditID === id).map(({ stage }) => stage)]);
      expect(Object.fromEntries(found)).toEqual(wanted);
    });
  };

  it('answers as if nothing was recorded, and records each request once', async () => {
    const ids: string[] = [];
    for (const [index, [method, path]] of requests.entries()) {
      const id = `request-${index}`;
      const headers = { 'audit-id': id };
      if (isLarge([method, path]) && auditLogMode !== 'blocking-strict') continue;
      if (omitStages.length > 0 && !isSelected(index)) continue;
      const audited = await api.call(method, path, { headers });
      expect(comparable(audited), `${method} ${path}`).toEqual(unaudited[index]);
      expect(audited.headers['audit-id'], `${method} ${path}`).toBe(id);
      // An invalid path is rejected before the request is audited.
      if (path !== '/%zz') ids.push(id);
    }
    await recorded(ids, ['RequestReceived', 'ResponseComplete']);
  });

  it('answers health over HTTP/2', async () => {
    const session = connect(api.server.url, api.tls);
    try {
      const responses = ['/livez', '/readyz?verbose', '/healthz/etcd'].map(async (path, index) => {
        const stream = session.request({ ':path': path, 'audit-id': `http2-${index}` });
        const [headers] = await once(stream, 'response');
        stream.resume();
        await once(stream, 'end');
        return headers[':status'];
      });
      expect(await Promise.all(responses)).toEqual([200, 200, 200]);
    } finally {
      session.close();
    }
    await recorded(['http2-0', 'http2-1', 'http2-2'], ['RequestReceived', 'ResponseComplete']);
  });

  it('serves watches over WebSocket', async () => {
    const url = new URL('/api/v1/namespaces?watch=1', api.server.url.replace('https', 'wss'));
    const client = new WebSocket(url, { ...api.tls, origin: api.server.url, headers: { 'audit-id': 'socket' } });
    const [data] = await once(client, 'message');
    expect(JSON.parse(String(data)).type).toBe('ADDED');
    client.close();
    await once(client, 'close');
    await recorded(['socket'], ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  });
});
