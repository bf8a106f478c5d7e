import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const large = '/api/v1/namespaces/large/configmaps';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await api.post('/api/v1/namespaces', { metadata: { name: 'large' } });
  const data = { text: 'x'.repeat(100_000) };
  for (let index = 0; index < 60; index++) await api.post(large, { metadata: { name: `big-${index}` }, data });
});
afterAll(() => api.stop());

function session(to: TestApi = api): ClientHttp2Session {
  const client = connect(to.server.url, { ...to.tls });
  client.on('error', () => {});
  onTestFinished(() => client.destroy());
  return client;
}

interface Reply {
  readonly status: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are looked into
  readonly body: any;
}

function open(client: ClientHttp2Session, method: string, path: string, body?: unknown): ClientHttp2Stream {
  const headers = {
    ':method': method,
    ':path': path,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const stream = client.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(JSON.stringify(body));
  return stream;
}

async function call(client: ClientHttp2Session, method: string, path: string, body?: unknown): Promise<Reply> {
  const stream = open(client, method, path, body);
  const [headers] = (await once(stream, 'response')) as [{ ':status'?: number }];
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return { status: headers[':status'], body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Returns the lines of a watch as they arrive, and undefined after its end. */
function lines(stream: ClientHttp2Stream): () => Promise<string | undefined> {
  async function* events(): AsyncGenerator<string> {
    let rest = '';
    for await (const chunk of stream.setEncoding('utf8')) {
      const whole = (rest + chunk).split('\n');
      rest = whole.pop()!;
      for (const line of whole) {
        const { type, object } = JSON.parse(line);
        yield `${type} ${object.metadata.name}`;
      }
    }
  }
  const iterator = events();
  return async () => (await iterator.next()).value ?? undefined;
}

it('a failed login ends the connection', async () => {
  const client = connect(api.server.url, { ca: api.tls.ca });
  onTestFinished(() => client.destroy());
  const ended = Promise.all([once(client, 'goaway'), once(client, 'close')]);
  const refused = client.request({ ':path': configMaps, authorization: 'Bearer wrong' });
  const [headers] = (await once(refused, 'response')) as [{ ':status'?: number }];
  expect(headers[':status']).toBe(401);
  expect((await refused.setEncoding('utf8').toArray()).join('')).toContain('"reason":"Unauthorized"');
  const [[code]] = await ended;
  expect(code).toBe(constants.NGHTTP2_NO_ERROR);
});

describe('many requests on one connection', () => {
  it('are answered side by side, each with its own answer', async () => {
    const client = session();
    const names = Array.from({ length: 100 }, (_, index) => `parallel-${index}`);
    const made = await Promise.all(names.map((name) => call(client, 'POST', configMaps, { metadata: { name } })));
    expect(made.map(({ status, body }) => `${status} ${body.metadata.name}`)).toEqual(
      names.map((name) => `200 ${name}`),
    );
    const [read, list, absent] = await Promise.all([
      Promise.all(names.map((name) => call(client, 'GET', `${configMaps}/${name}`))),
      call(client, 'GET', configMaps),
      call(client, 'GET', `${configMaps}/absent`),
    ]);
    expect(read.map(({ body }) => body)).toEqual(made.map(({ body }) => body));
    expect(list.body.items.length).toBeGreaterThanOrEqual(100);
    expect(absent).toMatchObject({ status: 404, body: { kind: 'Status', reason: 'NotFound' } });
    const gone = await Promise.all(names.map((name) => call(client, 'DELETE', `${configMaps}/${name}`)));
    expect(gone.every(({ status }) => status === 200)).toBe(true);
  });

  it('are served while a large list is on its way', async () => {
    const client = session();
    const list = open(client, 'GET', large);
    await once(list, 'response');
    // The list waits for its reader, but other requests do not wait for the list.
    expect((await call(client, 'GET', '/api/v1/namespaces/default')).status).toBe(200);
    let size = 0;
    for await (const chunk of list) size += (chunk as Buffer).length;
    expect(size).toBeGreaterThan(6_000_000);
  });

  it.each(['QUERY', 'PURGE', 'BREW'])('may have any method: %s', async (method) => {
    const { status, body } = await call(session(), method, configMaps);
    expect(status).toBe(405);
    expect(body).toMatchObject({ kind: 'Status', reason: 'MethodNotAllowed' });
  });
});

describe('a watch', () => {
  it('goes on beside other requests and does not end with them', async () => {
    const client = session();
    const stream = open(client, 'GET', `${configMaps}?watch=1&fieldSelector=metadata.name%3Dwatched`);
    await once(stream, 'response');
    const next = lines(stream);
    await call(client, 'POST', configMaps, { metadata: { name: 'watched' } });
    await call(client, 'PUT', `${configMaps}/watched`, { metadata: { name: 'watched' }, data: { a: 'b' } });
    await call(client, 'DELETE', `${configMaps}/watched`);
    expect([await next(), await next(), await next()]).toEqual([
      'ADDED watched',
      'MODIFIED watched',
      'DELETED watched',
    ]);
    stream.close();
  });

  it('ends cleanly when the server stops, and the client receives GOAWAY', async () => {
    const stopping = await TestApi.start();
    const client = session(stopping);
    const stream = open(client, 'GET', '/api/v1/namespaces?watch=1');
    await once(stream, 'response');
    const next = lines(stream);
    for (let index = 0; index < 4; index++) expect(await next()).toMatch(/^ADDED /);
    const goaway = once(client, 'goaway');
    const stopped = stopping.stop();
    expect(await next()).toBeUndefined();
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
    expect((await goaway)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    await stopped;
  });
});

describe('a client that changes its mind', () => {
  it('halfway through a list leaves nothing behind', async () => {
    const client = session();
    for (let round = 0; round < 20; round++) {
      const list = open(client, 'GET', large);
      await once(list, 'data');
      list.close(constants.NGHTTP2_CANCEL);
      await once(list, 'close');
    }
    expect((await call(client, 'GET', '/readyz')).body).toBe('ok');
    expect((await call(client, 'GET', large)).body.items).toHaveLength(60);
  });

  it('during a watch is forgotten', async () => {
    const client = session();
    for (let round = 0; round < 20; round++) {
      const stream = open(client, 'GET', `${configMaps}?watch=1`);
      await once(stream, 'response');
      stream.close(constants.NGHTTP2_CANCEL);
    }
    const abrupt = session();
    await once(open(abrupt, 'GET', `${configMaps}?watch=1`), 'response');
    abrupt.destroy();
    expect((await call(client, 'POST', configMaps, { metadata: { name: 'after' } })).status).toBe(200);
  });

  it('halfway through a body changes nothing', async () => {
    const client = session();
    const stream = client.request({ ':method': 'POST', ':path': configMaps, 'content-type': 'application/json' });
    stream.on('error', () => {});
    stream.write('{"metadata":{"name":"half"}');
    // When this request has a response, the server has received the first half of the body.
    await call(client, 'GET', '/readyz');
    stream.close(constants.NGHTTP2_CANCEL);
    await once(stream, 'close');
    expect((await call(client, 'GET', `${configMaps}/half`)).status).toBe(404);
  });
});
