import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority, issueClient } from '../../test/wire/certificates.ts';
import { MetricsRegistry } from '../metrics/index.ts';
import { type CallError, JsonEndpoint, type JsonEndpointOptions } from './json-endpoint.ts';
import type { ServerAccess } from './server-access.ts';
import { endless, failing, startJsonServer, type TestResponse } from './test-json-server.conformance.ts';

const good = { fine: true };

function endpoint(access: ServerAccess, options: JsonEndpointOptions = {}): JsonEndpoint {
  const made = new JsonEndpoint(access, { firstPauseMs: 1, ...options });
  onTestFinished(() => made.close());
  return made;
}

async function failureOf(call: Promise<unknown>): Promise<CallError> {
  try {
    await call;
  } catch (error) {
    return error as CallError;
  }
  throw new Error('the call was answered');
}

describe('JsonEndpoint', () => {
  it('posts JSON to the URL and parses the response', async () => {
    const server = await startJsonServer({ responses: [good] });
    expect(await endpoint(server.access()).post({ a: 'ä' })).toEqual(good);
    expect(server.seen).toMatchObject([
      { method: 'POST', url: '/review?a=b', headers: { 'content-type': 'application/json' }, body: { a: 'ä' } },
    ]);
    expect(server.seen[0]!.headers.authorization).toBeUndefined();
  });

  it('counts its calls by host and status', async () => {
    const server = await startJsonServer({ responses: [failing(503), good] });
    const registry = new MetricsRegistry();
    await endpoint(server.access(), { meter: registry }).post({});
    const text = await registry.render({ isOpenMetrics: false });
    const { host } = server.url;
    expect(text).toContain(`rest_client_requests_total{code="503",method="POST",host="${host}"} 1`);
    expect(text).toContain(`rest_client_requests_total{code="200",method="POST",host="${host}"} 1`);
    expect(text).toContain(`rest_client_request_duration_seconds_count{verb="POST",host="${host}"} 2`);
  });

  it('reuses the connection, and opens another when the server has closed it', async () => {
    const closing: TestResponse = (response, request) => {
      response.end('{}', () => request.socket.destroySoon());
    };
    const server = await startJsonServer({ responses: [good, good, closing, good] });
    const calls = endpoint(server.access());
    await calls.post({});
    await calls.post({});
    expect(server.connections()).toBe(1);
    await calls.post({});
    expect(await calls.post({})).toEqual(good);
    expect(server.connections()).toBe(2);
    expect(server.seen).toHaveLength(4);
  });

  it.each<[name: string, bad: TestResponse]>([
    ['500', failing(500)],
    ['503', failing(503)],
    ['504', failing(504)],
    ['429', failing(429, { 'retry-after': '0' })],
    ['a broken connection', (response) => response.destroy()],
    [
      'a broken answer',
      (response) => void response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
    ],
  ])('tries again after %s', async (_name, bad) => {
    const server = await startJsonServer({ responses: [bad, bad, good] });
    expect(await endpoint(server.access()).post({})).toEqual(good);
    expect(server.seen).toHaveLength(3);
  });

  it('gives up after five attempts', async () => {
    const server = await startJsonServer({ responses: [failing(500)] });
    const error = await failureOf(endpoint(server.access()).post({ token: 'secret' }));
    expect(error.message).toBe(`Post "${server.url.origin}/review": the server answered with status 500`);
    expect(error.status).toBe(500);
    expect(server.seen).toHaveLength(5);
  });

  it('increases the delay by half each time, within the overall timeout', async () => {
    const server = await startJsonServer({ responses: [failing(500)] });
    const start = performance.now();
    await failureOf(endpoint(server.access(), { firstPauseMs: 20 }).post({}));
    expect(performance.now() - start).toBeGreaterThan(20 + 30 + 45 + 60);
    await failureOf(endpoint(server.access(), { firstPauseMs: 60_000, totalMs: 20_000 }).post({}));
    expect(server.seen).toHaveLength(6);
  });

  it.each<[name: string, bad: TestResponse, text: string]>([
    ['400', failing(400), 'the server answered with status 400'],
    ['401', failing(401), 'the server answered with status 401'],
    ['404', failing(404), 'the server answered with status 404'],
    ['a redirect', failing(307, { location: '/elsewhere' }), 'the server answered with status 307'],
    ['garbage', (response) => response.end('{"secret":'), 'the answer is not JSON'],
    ['nothing', (response) => response.end(), 'the answer is not JSON'],
    ['an endless answer', endless, 'the answer is too large'],
  ])('does not try again after %s', async (_name, bad, text) => {
    const server = await startJsonServer({ responses: [bad] });
    const error = await failureOf(endpoint(server.access()).post({}));
    expect(error.message).toBe(`Post "${server.url.origin}/review": ${text}`);
    expect(server.seen).toHaveLength(1);
  });

  it.each<[name: string, slow: TestResponse]>([
    ['does not answer', () => {}],
    ['does not end its answer', (response) => void response.writeHead(200).write('{')],
  ])('does not wait for a server that %s', async (_name, slow) => {
    const server = await startJsonServer({ responses: [slow] });
    const error = await failureOf(endpoint(server.access(), { timeoutMs: 100 }).post({}));
    expect(error.message).toBe(`Post "${server.url.origin}/review": no answer in time`);
    // On a busy machine, the timeout may expire before the server has received the request.
    expect(server.seen.length).toBeLessThan(2);
  });

  it('reports an unreachable server without retries', async () => {
    const server = await startJsonServer({ responses: [good] });
    await server.stop();
    const error = await failureOf(endpoint(server.access(), { firstPauseMs: 60_000 }).post({}));
    expect(error.message).toContain('ECONNREFUSED');
  });
});

describe('the server', () => {
  it('is refused with an untrusted certificate or one for another name', async () => {
    const server = await startJsonServer({ responses: [good] });
    const { cert } = await createAuthority('other');
    const elsewhere = await startJsonServer({ responses: [good], address: '192.0.2.1' });
    for (const access of [server.access({ ca: cert }), server.access({ ca: undefined }), elsewhere.access()]) {
      const error = await failureOf(endpoint(access).post({ token: 'secret' }));
      expect(error.message).toMatch(/certificate|altnames/);
    }
    expect([...server.seen, ...elsewhere.seen]).toEqual([]);
    const insecure = server.access({ ca: undefined, insecureSkipTlsVerify: true });
    expect(await endpoint(insecure).post({})).toEqual(good);
  });

  it('may have another name in its certificate', async () => {
    const server = await startJsonServer({ responses: [good], address: '192.0.2.1' });
    expect(await endpoint(server.access({ tlsServerName: '192.0.2.1' })).post({})).toEqual(good);
  });
});

describe('the client', () => {
  it('authenticates with a certificate', async () => {
    const clientAuthority = await createAuthority('clients');
    const server = await startJsonServer({ responses: [good], clientAuthority });
    await endpoint(server.access(await issueClient(clientAuthority, 'apiserver'))).post({});
    expect(server.seen[0]!.client).toBe('apiserver');
    const stranger = await issueClient(await createAuthority('strangers'), 'apiserver');
    await failureOf(endpoint(server.access(stranger)).post({}));
    expect(server.seen).toHaveLength(1);
  });

  it('authenticates with a token or a password', async () => {
    const server = await startJsonServer({ responses: [good] });
    await endpoint(server.access({ token: 't-1' })).post({});
    await endpoint(server.access({ basic: { username: 'jané', password: 'x' } })).post({});
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer t-1',
      `Basic ${Buffer.from('jané:x').toString('base64')}`,
    ]);
  });

  it('reads its token file every minute, and keeps the old token when the file is missing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'token-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const tokenFile = join(directory, 'token');
    const server = await startJsonServer({ responses: [good] });
    let time = 0;
    const calls = endpoint(server.access({ token: 'unused', tokenFile }), { now: () => time });
    expect((await failureOf(calls.post({}))).message).toContain('unable to read the token file');
    for (const [at, content] of [
      [0, 'one\n'],
      [59_999, 'two'],
      [60_000, 'two'],
      [120_000, undefined],
    ] as const) {
      time = at;
      if (content === undefined) rmSync(tokenFile);
      else writeFileSync(tokenFile, content);
      await calls.post({});
    }
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(
      ['one', 'one', 'two', 'two'].map((token) => `Bearer ${token}`),
    );
  });
});
