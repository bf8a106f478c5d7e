import { once } from 'node:events';
import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { Channel, type UnaryCall } from './channel.ts';
import { parseEndpoint } from './endpoint.ts';
import { framed } from './grpc-messages.ts';

const response = { ':status': 200, 'content-type': 'application/grpc' };

/** A channel to a server that handles every request with the function. */
async function channelTo(
  respond: (stream: ServerHttp2Stream, headers: Record<string, unknown>) => void,
): Promise<Channel> {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    respond(stream, headers);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const channel = channelOf((server.address() as AddressInfo).port);
  onTestFinished(() => {
    channel.close();
    server.close();
  });
  await channel.connect(60_000);
  return channel;
}

function channelOf(port: number): Channel {
  return new Channel({ endpoint: parseEndpoint(`http://127.0.0.1:${port}`), tls: async () => ({}) });
}

function call(channel: Channel, options: Partial<UnaryCall> = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const onDone: UnaryCall['onDone'] = (error, message) => (error === undefined ? resolve(message!) : reject(error));
    channel.call({ method: '/a/b', request: [Buffer.from('q')], timeoutMs: 60_000, onDone, ...options });
  });
}

const frameOf = (text: string): Buffer => Buffer.concat(framed([Buffer.from(text)]));

const end = (stream: ServerHttp2Stream, trailers: Record<string, string>, body: Buffer): void => {
  stream.respond(response, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
};

test('a call sends one message and gets one', async () => {
  const channel = await channelTo(async (stream, { ':path': path, te, 'grpc-timeout': timeout, hasleader }) => {
    const received = await buffer(stream);
    const text = JSON.stringify({ path, te, timeout, hasleader, received: received.toString('hex') });
    end(stream, { 'grpc-status': '0' }, frameOf(text));
  });
  expect(JSON.parse(String(await call(channel)))).toEqual({
    path: '/a/b',
    te: 'trailers',
    timeout: '60000m',
    hasleader: 'true',
    received: '000000000171',
  });
});

test.each([
  {
    name: 'a status in the trailers',
    respond: (stream: ServerHttp2Stream) =>
      end(stream, { 'grpc-status': '11', 'grpc-message': 'a%20b%25' }, Buffer.alloc(0)),
    error: { code: 11, details: 'a b%' },
  },
  {
    name: 'a status instead of a response',
    respond: (stream: ServerHttp2Stream) =>
      stream.respond({ ...response, 'grpc-status': '14', 'grpc-message': 'no leader' }, { endStream: true }),
    error: { code: 14, details: 'no leader' },
  },
  {
    name: 'no message',
    respond: (stream: ServerHttp2Stream) => end(stream, { 'grpc-status': '0' }, Buffer.alloc(0)),
    error: { code: 2 },
  },
  {
    name: 'another status of HTTP',
    respond: (stream: ServerHttp2Stream) => stream.respond({ ':status': 503 }, { endStream: true }),
    error: { code: 14, details: 'HTTP status 503' },
  },
  {
    name: 'a message that is too large',
    respond: (stream: ServerHttp2Stream) => {
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(2 ** 31, 1);
      stream.respond(response);
      stream.write(prefix);
    },
    error: { code: 8, details: expect.stringMatching(/^Received message larger than max/) },
  },
  {
    name: 'a refused stream',
    respond: (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
    error: { code: 14, details: 'Stream refused by server' },
  },
  {
    name: 'a connection that is lost',
    respond: (stream: ServerHttp2Stream) => stream.session!.destroy(),
    error: { code: 14, details: 'the connection was lost' },
  },
])('a call fails after $name', async ({ respond, error }) => {
  const channel = await channelTo(respond);
  await expect(call(channel)).rejects.toMatchObject(error);
});

test('a call fails at its deadline, and when it is cancelled', async () => {
  const resets: Promise<unknown>[] = [];
  const channel = await channelTo((stream) => resets.push(once(stream, 'close').then(() => stream.rstCode)));
  await expect(call(channel, { timeoutMs: 20 })).rejects.toMatchObject({ code: 4 });
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = channel.call({
    method: '/a',
    request: [],
    timeoutMs: 60_000,
    onDone: (error) => reject(error),
  });
  cancel();
  await expect(promise).rejects.toMatchObject({ code: 1 });
  expect(await resets[0]).toBe(constants.NGHTTP2_CANCEL);
});

test('a stream passes messages on, but not while it is paused', async () => {
  const channel = await channelTo((stream) => {
    stream.respond(response);
    // Several messages in one chunk, after the request.
    stream.once('data', () => stream.write(Buffer.concat(['1', '2', '3'].map((text) => frameOf(text)))));
  });
  const got: string[] = [];
  const first = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const stream = channel.stream({
    method: '/a',
    onMessage: (message) => {
      got.push(String(message));
      if (got.length === 1) stream.pause();
      if (got.length === 1) first.resolve();
      if (got.length === 3) all.resolve();
    },
    onEnd: all.reject,
  });
  stream.write(Buffer.from('begin'));
  await first.promise;
  expect(got).toEqual(['1']);
  stream.resume();
  await all.promise;
  expect(got).toEqual(['1', '2', '3']);
  stream.cancel();
});

test('without a connection, a call fails and was certainly not sent', async () => {
  const channel = await channelTo((stream) => stream.session!.destroy());
  await expect(call(channel)).rejects.toMatchObject({ code: 14 });
  await expect.poll(() => channel.ready).toBe(false);
  await expect(call(channel)).rejects.toMatchObject({ details: expect.stringContaining('the request was not sent') });
  await channel.connect(60_000);
  expect(channel.ready).toBe(true);
});

test('a connection that is never answered ends with the channel', async () => {
  const accepted = Promise.withResolvers<Socket>();
  const server = createSocketServer((socket) => accepted.resolve(socket.on('error', () => {}).resume()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const channel = channelOf((server.address() as AddressInfo).port);
  await expect(channel.connect(20)).rejects.toThrow('no answer from 127.0.0.1');
  const closed = once(await accepted.promise, 'close');
  channel.close();
  await closed;
  await expect(channel.connect(20)).rejects.toMatchObject({ code: 'Closed' });
});
