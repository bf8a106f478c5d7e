import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { TestApi } from './api.ts';

const friend = 'https://dashboard.example';
let strict: TestApi;
let open: TestApi;
beforeAll(async () => {
  strict = await TestApi.start();
  open = await TestApi.start({ corsAllowedOrigins: ['^https://dashboard\\.example$'] });
});
afterAll(() => Promise.all([strict.stop(), open.stop()]));

const configMaps = '/api/v1/namespaces/default/configmaps';
const from = (origin: string) => ({ headers: { origin } });
const isForbidden = (origin: string) => ({
  status: 403,
  body: {
    kind: 'Status',
    reason: 'Forbidden',
    message: `forbidden: requests from the origin ${JSON.stringify(origin)} are not allowed (--cors-allowed-origins)`,
  },
});
const cors = {
  'access-control-allow-origin': friend,
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

/** Returns 101 for a WebSocket of a watch, or the status of the rejection. */
async function upgraded(api: TestApi, origin: string): Promise<number> {
  const url = new URL('/api/v1/namespaces?watch=1', api.server.url.replace('https', 'wss'));
  const client = new WebSocket(url, { ...api.tls, origin });
  onTestFinished(() => client.terminate());
  client.on('error', () => {});
  const refused = once(client, 'unexpected-response').then(([, response]) => (response as IncomingMessage).statusCode!);
  return Promise.race([once(client, 'open').then(() => 101), refused]);
}

const foreign = ['https://attacker.example', 'null', 'http://127.0.0.1', 'https://127.0.0.1', 'garbage', friend];

describe.each(foreign)('from the foreign origin %s', (origin) => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('%s is refused and does nothing', async (method) => {
    await strict.post(configMaps, { metadata: { name: 'kept' } });
    const before = (await strict.get(`${configMaps}/kept`)).body;
    const path = method === 'POST' ? configMaps : `${configMaps}/kept`;
    const response = await strict.call(method, path, { ...from(origin), body: { metadata: { name: 'made' } } });
    expect(response).toMatchObject(isForbidden(origin));
    expect((await strict.get(`${configMaps}/kept`)).body).toEqual(before);
    expect((await strict.get(`${configMaps}/made`)).status).toBe(404);
  });

  it('a WebSocket is refused', async () => {
    expect(await upgraded(strict, origin)).toBe(403);
  });

  it('reading is for the browser to prevent', async () => {
    const { status, headers } = await strict.get(configMaps, from(origin));
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('from the server itself', () => {
  it('everything is as without an origin', async () => {
    const created = await strict.post(configMaps, { metadata: { name: 'own' } }, from(strict.server.url));
    expect(created.status).toBe(200);
    expect((await strict.delete(`${configMaps}/own`, from(strict.server.url))).status).toBe(200);
    expect(await upgraded(strict, strict.server.url)).toBe(101);
  });

  it('is compared with the authority over HTTP/2', async () => {
    const session = connect(strict.server.url, strict.tls);
    onTestFinished(() => session.destroy());
    const create = async (origin: string, name: string): Promise<number> => {
      const headers = { ':method': 'POST', ':path': configMaps, origin, 'content-type': 'application/json' };
      const stream = session.request(headers);
      stream.end(JSON.stringify({ metadata: { name } }));
      const [response] = await once(stream, 'response');
      stream.resume();
      return response[':status'];
    };
    expect(await create(strict.server.url, 'by-http2')).toBe(200);
    expect(await create('https://attacker.example', 'not-by-http2')).toBe(403);
  });
});

describe('from an origin that --cors-allowed-origins names', () => {
  it('everything is served, and the browser is told so', async () => {
    const created = await open.post(configMaps, { metadata: { name: 'theirs' } }, from(friend));
    expect(created).toMatchObject({ status: 200, headers: cors });
    expect(await open.get(configMaps, from(friend))).toMatchObject({ status: 200, headers: cors });
    expect(await open.get('/nothing', from(friend))).toMatchObject({ status: 404, headers: cors });
    expect(await open.get(configMaps, { ...from(friend), credentials: false })).toMatchObject({
      status: 401,
      headers: cors,
    });
    expect(await upgraded(open, friend)).toBe(101);
  });

  it.each(['/', configMaps, '/nothing'])('a preflight for %s needs no credentials', async (path) => {
    const response = await open.call('OPTIONS', path, { ...from(friend), credentials: false });
    expect(response).toMatchObject({ status: 204, headers: cors, text: '' });
  });

  it('another origin is still foreign', async () => {
    const other = 'https://dashboard.example.attacker.net';
    expect(await open.post(configMaps, { metadata: { name: 'x' } }, from(other))).toMatchObject(isForbidden(other));
    expect((await open.call('OPTIONS', configMaps, from(other))).status).not.toBe(204);
    expect(await upgraded(open, other)).toBe(403);
  });
});
