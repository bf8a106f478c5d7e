import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { type Event, TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

interface Options {
  readonly protocols?: string[];
  readonly origin?: string | undefined;
  readonly credentials?: boolean;
  readonly from?: TestApi;
}

function socket(path: string, options: Options = {}): WebSocket {
  const { protocols = [], credentials = true, from = api } = options;
  const origin = 'origin' in options ? options.origin : from.server.url;
  const tls = credentials ? from.tls : { ca: from.tls.ca };
  const client = new WebSocket(new URL(path, from.server.url.replace('https', 'wss')), protocols, {
    ...tls,
    ...(origin !== undefined && { origin }),
  });
  client.on('error', () => {});
  onTestFinished(() => client.terminate());
  return client;
}

/** Returns the messages as they arrive. The listener is added before the first message can arrive. */
function events(client: WebSocket): () => Promise<Event> {
  const waiting: Event[] = [];
  let wake = (): void => {};
  client.on('close', () => wake());
  client.on('message', (data, isBinary) => {
    expect(isBinary).toBe(false);
    waiting.push(JSON.parse(String(data)));
    wake();
  });
  return async () => {
    while (waiting.length === 0) {
      if (client.readyState === WebSocket.CLOSED) throw new Error('closed before the next event');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return waiting.shift()!;
  };
}

async function refusal(
  client: WebSocket,
): Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }> {
  const [, response] = (await once(client, 'unexpected-response')) as [unknown, IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode!, text, headers: response.headers };
}

describe('a watch over a WebSocket', () => {
  it('can be a stream of an HTTP/2 connection', async () => {
    const path = await api.configMaps('extended', { a: {} });
    const session = connect(api.server.url, api.tls);
    session.on('error', () => {});
    onTestFinished(() => session.destroy());
    await once(session, 'remoteSettings');
    const stream = session.request({
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':path': `${path}?watch=1`,
      origin: api.server.url,
      'sec-websocket-version': '13',
    });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    const [frame] = (await once(stream, 'data')) as [Buffer];
    // A text frame with a length of 16 bits.
    expect([...frame.subarray(0, 2)]).toEqual([0x81, 126]);
    const { body } = await api.get(`${path}/a`);
    expect(JSON.parse(String(frame.subarray(4, 4 + frame.readUInt16BE(2))))).toEqual({ type: 'ADDED', object: body });
    // Clients would mistake any success for a WebSocket.
    const { ':status': status } = (
      await once(
        session.request({
          ':method': 'CONNECT',
          ':protocol': 'websocket',
          ':path': path,
          'sec-websocket-version': '13',
        }),
        'response',
      )
    )[0];
    expect(status).toBe(400);
  });

  it('is a text message for each event', async () => {
    const path = await api.configMaps('messages', { a: {} });
    const next = events(socket(`${path}?watch=1`));
    const { body } = await api.get(`${path}/a`);
    expect(await next()).toEqual({ type: 'ADDED', object: body });
    await api.patch(`${path}/a`, { data: { k: '1' } });
    await api.delete(`${path}/a`);
    expect([(await next()).type, (await next()).type]).toEqual(['MODIFIED', 'DELETED']);
  });

  it('has bookmarks and selectors as any watch', async () => {
    const path = await api.configMaps('selected', { a: {}, b: { on: 'y' } });
    const next = events(socket(`${path}?watch=1&allowWatchBookmarks=true&labelSelector=on`));
    expect(await next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
    expect(await next()).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
  });

  it('opens at once, even when there is nothing to say, and ends in time with code 1000', async () => {
    const client = socket('/api/v1/namespaces/none/configmaps?watch=1&timeoutSeconds=1');
    await once(client, 'open');
    const [code] = await once(client, 'close');
    expect(code).toBe(1000);
  });

  it('can be had by its path', async () => {
    await api.configMaps('by-path', { a: {}, b: {} });
    const next = events(socket('/api/v1/watch/namespaces/by-path/configmaps/b'));
    expect(await next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
  });

  it.each([
    [['foo'], 'foo'],
    [['foo', 'bar'], 'foo'],
    [[], ''],
  ])('repeats a sub-protocol that is offered: %j', async (protocols, expected) => {
    const client = socket('/api/v1/namespaces?watch=1', { protocols });
    await once(client, 'open');
    expect(client.protocol).toBe(expected);
  });

  it('ignores messages of the client, and ends when the client closes', async () => {
    const path = await api.configMaps('talkative');
    const client = socket(`${path}?watch=1`);
    const next = events(client);
    await once(client, 'open');
    client.send('hello');
    client.send(Buffer.from([0, 1, 2]));
    await api.post(path, { metadata: { name: 'a' } });
    expect((await next()).type).toBe('ADDED');
    client.close(1000);
    const [code] = await once(client, 'close');
    expect(code).toBe(1000);
  });

  it('answers a ping', async () => {
    const client = socket('/api/v1/namespaces?watch=1');
    await once(client, 'open');
    client.ping('x');
    expect(String((await once(client, 'pong'))[0])).toBe('x');
  });

  it('sends an error as an event, then ends', async () => {
    const query = 'resourceVersion=99999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const client = socket(`/api/v1/namespaces?watch=1&${query}`);
    const next = events(client);
    const closed = once(client, 'close');
    expect(await next()).toMatchObject({ type: 'ERROR', object: { kind: 'Status', reason: 'Timeout', code: 504 } });
    expect((await closed)[0]).toBe(1000);
  });

  it('ends when the server stops', async () => {
    const stopping = await TestApi.start();
    const client = socket('/api/v1/namespaces?watch=1', { from: stopping });
    await once(client, 'open');
    const closed = once(client, 'close');
    await stopping.stop();
    expect((await closed)[0]).toBe(1000);
  });
});

describe('a WebSocket is refused as any request', () => {
  it('without an origin', async () => {
    const { status, text } = await refusal(
      socket('/api/v1/namespaces?watch=1&timeoutSeconds=1', { origin: undefined }),
    );
    expect([status, text]).toEqual([403, '']);
  });

  it('without credentials', async () => {
    const { status, text } = await refusal(socket('/api/v1/namespaces?watch=1', { credentials: false }));
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ kind: 'Status', reason: 'Unauthorized' });
  });

  it.each([
    ['fieldSelector=x%3Dy', 400, 'BadRequest'],
    ['resourceVersion=x', 400, 'BadRequest'],
    ['resourceVersionMatch=Exact', 400, 'BadRequest'],
  ])('if it has %s', async (query, code, reason) => {
    const { status, text, headers } = await refusal(socket(`/api/v1/configmaps?watch=1&${query}`));
    expect(status).toBe(code);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({ kind: 'Status', reason, code });
  });

  it('on a path that leads nowhere', async () => {
    expect((await refusal(socket('/api/v1/nothing?watch=1'))).status).toBe(404);
  });

  it('when it is no watch: the response is the plain list', async () => {
    const { status, text } = await refusal(socket('/api/v1/namespaces'));
    expect(status).toBe(200);
    expect(JSON.parse(text).kind).toBe('NamespaceList');
  });
});
