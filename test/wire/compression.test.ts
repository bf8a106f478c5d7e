import { once } from 'node:events';
import { type ClientHttp2Stream, connect, constants } from 'node:http2';
import { Agent, request } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';

const threshold = 131_072;
const configMaps = '/api/v1/namespaces/default/configmaps';
const many = '/api/v1/namespaces/many/configmaps';
/** Together, these objects are larger than the parts in which a list is sent. */
const manyCount = 20;
const gzip = { 'accept-encoding': 'gzip' };

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

type Get = (api: TestApi, path: string, headers?: Record<string, string>) => Promise<RawResponse>;

const agent = new Agent({ keepAlive: true });

const getHttp1: Get = async (api, path, headers = {}) => {
  const sent = request(new URL(path, api.server.url), { ...api.tls, agent, headers });
  sent.end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(await response.toArray()) };
};

const getHttp2: Get = async (api, path, headers = {}) => {
  const stream = openHttp2(api, path, headers);
  const [head] = await once(stream, 'response');
  return { status: head[':status'], headers: head, body: Buffer.concat(await stream.toArray()) };
};

/**
 * Returns the response to a request and, for comparison, the plain one at the same revision. A server that shares its
 * storage renews leases in it, which changes the revision of lists.
 */
async function withPlain(get: Get, path: string): Promise<{ response: RawResponse; plain: RawResponse }> {
  for (let plain = await get(api, path); ; ) {
    const response = await get(api, path, gzip);
    const later = await get(api, path);
    if (later.body.equals(plain.body)) return { response, plain };
    plain = later;
  }
}

function openHttp2(api: TestApi, path: string, headers: Record<string, string>): ClientHttp2Stream {
  const session = connect(api.server.url, api.tls);
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return session.request({ ':path': path, ...headers });
}

/** Random letters, because gzip would compress other text to almost nothing. */
function letters(length: number): string {
  let text = '';
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text.slice(0, length);
}

/** Creates a config map whose document has exactly this number of bytes. */
async function sized(api: TestApi, name: string, size: number): Promise<void> {
  const { body } = await api.post(configMaps, { metadata: { name }, data: { text: '' } });
  const without = (await api.get(`${configMaps}/${name}`)).text.length;
  const data = { text: letters(size - without) };
  const { text } = await api.put(`${configMaps}/${name}`, { metadata: body.metadata, data });
  // The version may have one more digit.
  if (text.length > size)
    await api.put(`${configMaps}/${name}`, { metadata: { name }, data: { text: data.text.slice(1) } });
  expect((await api.get(`${configMaps}/${name}`)).text).toHaveLength(size);
}

let api: TestApi;
let without: TestApi;
beforeAll(async () => {
  [api, without] = await Promise.all([
    TestApi.start({ controllers: [] }),
    TestApi.start({ featureGates: 'APIResponseCompression=false' }),
  ]);
  await sized(api, 'below', threshold);
  await sized(api, 'above', threshold + 1);
  await sized(api, 'half', 100_000);
  await sized(without, 'above', threshold + 1);
  await api.post('/api/v1/namespaces', { metadata: { name: 'many' } });
  const data = { text: letters(50_000) };
  for (let index = 0; index < manyCount; index++) await api.post(many, { metadata: { name: `n${index}` }, data });
});
afterAll(async () => {
  agent.destroy();
  await Promise.all([api.stop(), without.stop()]);
});

describe.each([
  ['HTTP/1.1', getHttp1],
  ['HTTP/2', getHttp2],
])('%s', (_name, get) => {
  it.each([
    ['a large object', `${configMaps}/above`],
    ['a list of a large object', `${configMaps}?fieldSelector=metadata.name%3Dabove`],
    ['a list in many pieces', many],
    ['a page of a list', `${many}?limit=10`],
    ['a list of all namespaces', '/api/v1/configmaps'],
    ['a large object, indented', `${configMaps}/above?pretty=1`],
    ['an object that is large when indented', `${configMaps}/below?pretty=1`],
    ['a list in many pieces, indented', `${many}?pretty=1`],
  ])('compresses %s', async (_what, path) => {
    const { response, plain } = await withPlain(get, path);
    const { status, headers, body } = response;
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
    });
    expect(headers['content-length'] ?? String(body.length)).toBe(String(body.length));
    expect(body.length).toBeLessThan(plain.body.length);
    expect(gunzipSync(body).equals(plain.body)).toBe(true);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toBeUndefined();
  });

  it.each([
    ['an object of exactly the limit', `${configMaps}/below`, 200],
    ['a small list', `${configMaps}?fieldSelector=metadata.name%3Dhalf`, 200],
    ['an empty list', '/api/v1/namespaces/default/secrets', 200],
    ['an error', `${configMaps}/absent`, 404],
    ['what is not a resource', '/openapi/v3/api/v1', 200],
    ['discovery', '/apis', 200],
  ])('leaves %s as it is', async (_what, path, expected) => {
    const { response, plain } = await withPlain(get, path);
    const { status, headers, body } = response;
    expect(status).toBe(expected);
    expect(headers['content-encoding']).toBeUndefined();
    expect(String(headers.vary)).not.toContain('Accept-Encoding');
    expect(headers['content-length']).toBe(String(body.length));
    expect(body.equals(plain.body)).toBe(true);
  });

  it.each([`${configMaps}/above`, configMaps])('compresses nothing when the gate is off: %s', async (path) => {
    const { headers, body } = await get(without, path, gzip);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBeUndefined();
    expect(body.length).toBeGreaterThan(threshold);
    expect(JSON.parse(body.toString())).toMatchObject({ apiVersion: 'v1' });
  });
});

it.each([
  ['gzip, deflate', true],
  ['deflate,gzip', true],
  [' br , gzip ', true],
  ['gzip;q=1.0', true],
  ['GZIP', true],
  ['gzip;q=0', false],
  ['*', false],
  ['deflate', false],
  ['identity', false],
])('reads Accept-Encoding: %j', async (header, compressed) => {
  for (const path of [`${configMaps}/above`, many]) {
    const { headers } = await getHttp1(api, path, { 'accept-encoding': header });
    expect(headers['content-encoding']).toBe(compressed ? 'gzip' : undefined);
  }
});

it('does not compress answers to writes', async () => {
  const { headers, text } = await api.put(
    `${configMaps}/above`,
    { metadata: { name: 'above' }, data: { text: letters(threshold) } },
    { headers: gzip },
  );
  expect(text.length).toBeGreaterThan(threshold);
  expect(headers['content-encoding']).toBeUndefined();
});

it('does not compress watches, however much they have to say', async () => {
  const stream = openHttp2(api, `${many}?watch=1`, gzip);
  const [head] = await once(stream, 'response');
  expect(head['content-encoding']).toBeUndefined();
  let size = 0;
  for await (const chunk of stream) {
    if (size === 0) expect(chunk.toString('latin1', 0, 15)).toBe('{"type":"ADDED"');
    size += chunk.length;
    if (size > 5 * threshold) break;
  }
});

it('answers others while clients go away in the middle of compressed lists', async () => {
  for (const path of [many, `${many}?pretty=1`]) {
    for (let round = 0; round < 4; round++) {
      const stream = openHttp2(api, path, gzip);
      stream.on('error', () => {});
      await once(stream, 'data');
      stream.close(constants.NGHTTP2_CANCEL);
      const sent = request(new URL(path, api.server.url), { ...api.tls, agent: false, headers: gzip });
      sent.on('error', () => {});
      sent.end();
      const [response] = await once(sent, 'response');
      response.on('error', () => {});
      await once(response, 'data');
      sent.destroy();
    }
  }
  const { body } = await getHttp2(api, many, gzip);
  expect(JSON.parse(gunzipSync(body).toString()).items).toHaveLength(manyCount);
});
