import type tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { webSocketStream } from '../web-socket.ts';
import type { Listener } from './listener.ts';
import { connectRaw, deferred, listen, received, sendHttp1 } from './test-listener.conformance.ts';
import {
  aborted,
  clientFrame,
  close,
  closeCode,
  connect,
  handshake,
  listenAndAccept,
  normally,
  opened,
  ping,
  until,
} from './test-web-socket.conformance.ts';

describe('an accepted WebSocket', () => {
  it.each([false, true])('gets one message for every write (binary: %s)', async (binary) => {
    const { listener, accepted } = await listenAndAccept({ binary });
    const client = connect(listener);
    const messages: unknown[] = [];
    client.on('message', (data, isBinary) => messages.push([String(data), isBinary]));
    const code = closeCode(client);
    const { exchange, stream } = await accepted;
    expect(exchange.responded).toBe(true);
    stream.write(Buffer.from('{"a":1}\n'));
    stream.write(Buffer.from('ä'.repeat(100_000)));
    stream.write(Buffer.alloc(0));
    stream.end();
    expect(stream.closed).toBe(true);
    expect(await code).toBe(1000);
    expect(messages).toEqual([
      ['{"a":1}\n', binary],
      ['ä'.repeat(100_000), binary],
      ['', binary],
    ]);
    await aborted(exchange);
  });

  it.each([
    [[], ''],
    [['foo'], 'foo'],
    [['foo', 'bar'], 'foo'],
    [['base64url.bearer.authorization.k8s.io.eA', 'foo'], 'foo'],
  ])('speaks the first sub-protocol of %j', async (offered, expected) => {
    const { listener } = await listenAndAccept();
    const client = connect(listener, offered);
    await opened(client);
    expect(client.protocol).toBe(expected);
    expect(client.extensions).toBe('');
  });

  it('has a handshake of just the necessary headers', async () => {
    const { listener, accepted } = await listenAndAccept();
    const socket = await connectRaw(listener);
    socket.write(handshake());
    (await accepted).stream.end();
    expect(await until(socket, '\x88\x02\x03\xe8')).toBe(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n\x88\x02\x03\xe8',
    );
  });

  it('may come on a connection that has served other requests', async () => {
    const { listener, accepted } = await listenAndAccept();
    const socket = await connectRaw(listener);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(socket, 'no WebSocket');
    socket.write(handshake());
    (await accepted).stream.write(Buffer.from('hello'));
    expect(await until(socket, 'hello')).toMatch(/^HTTP\/1.1 101 .*\x81\x05hello$/s);
  });

  it('answers pings and ignores messages', async () => {
    const { listener, accepted } = await listenAndAccept();
    const client = connect(listener);
    await opened(client);
    client.send('what a client has to say');
    client.send(Buffer.alloc(60_000));
    const pong = new Promise((resolve) => client.once('pong', (data) => resolve(String(data))));
    client.ping('still there?');
    expect(await pong).toBe('still there?');
    expect((await accepted).stream.closed).toBe(false);
  });

  it('takes what the client has sent before it was accepted', async () => {
    const held = deferred<Exchange>();
    const listener = await listen((exchange) => held.resolve(exchange));
    const socket = await connectRaw(listener);
    socket.write(Buffer.concat([Buffer.from(handshake()), clientFrame(ping, 'early')]));
    const exchange = await held.promise;
    socket.write(clientFrame(close, normally));
    const stream = webSocketStream(exchange, { binary: false });
    expect(await received(socket)).toMatch(/\r\n\r\n\x8a\x05early\x88\x02\x03\xe8$/);
    await aborted(exchange);
    expect(stream.closed).toBe(true);
  });

  it.each<[string, (socket: tls.TLSSocket) => void]>([
    ['closes', (socket) => socket.write(clientFrame(close, normally))],
    ['closes without a code', (socket) => socket.write(clientFrame(close))],
    ['ends the connection', (socket) => socket.end()],
    ['disappears', (socket) => socket.destroy()],
    ['begins a message beyond all limits', (socket) => socket.write(`\x01\x7f${'\0'.repeat(4)}\x01${'\0'.repeat(7)}`)],
    ['sends nonsense', (socket) => socket.write('nonsense')],
  ])('ends when the client %s', async (_name, leave) => {
    const { listener, accepted } = await listenAndAccept();
    const socket = await connectRaw(listener);
    socket.write(handshake());
    socket.resume();
    const { exchange, stream } = await accepted;
    expect(exchange.signal.aborted).toBe(false);
    leave(socket);
    await aborted(exchange);
    expect(stream.closed).toBe(true);
    await stream.drained();
    expect(stream.write(Buffer.from('to nobody'))).toBe(true);
    stream.end();
    exchange.abort();
  });

  it('ends without a close frame when it is aborted', async () => {
    const { listener, accepted } = await listenAndAccept();
    const client = connect(listener);
    await opened(client);
    const code = closeCode(client);
    (await accepted).exchange.abort();
    expect(await code).toBe(1006);
  });

  it('does not wait long for a client that does not confirm the end', async () => {
    const { listener, accepted } = await listenAndAccept({ closeTimeoutMs: 20 });
    const socket = await connectRaw(listener);
    socket.write(handshake());
    const { exchange, stream } = await accepted;
    stream.end();
    expect(await received(socket)).toMatch(/\x88\x02\x03\xe8$/);
    await aborted(exchange);
  });
});

describe('a WebSocket with a slow client', () => {
  /** More data than all buffers between server and client hold. */
  const tooMuch = Buffer.alloc(32 * 1024 * 1024, 'x');

  async function fallBehind() {
    const { listener, accepted } = await listenAndAccept();
    const socket = await connectRaw(listener);
    socket.write(handshake());
    await until(socket, '\r\n\r\n');
    const { stream } = await accepted;
    expect(stream.write(tooMuch)).toBe(false);
    return { listener, socket, stream };
  }

  it('tells the writer to wait', async () => {
    const { listener, socket, stream } = await fallBehind();
    let isDrained = false;
    const drained = stream.drained().then(() => {
      isDrained = true;
    });
    await sendHttp1(listener);
    expect(isDrained).toBe(false);
    expect(stream.pendingBytes).toBeGreaterThan(0);
    socket.resume();
    await drained;
    expect(stream.pendingBytes).toBe(0);
    expect(stream.write(Buffer.from('on'))).toBe(true);
    await stream.drained();
  });

  it('resolves the wait of the writer when it disconnects', async () => {
    const { socket, stream } = await fallBehind();
    const drained = stream.drained();
    socket.destroy();
    await drained;
    expect(stream.closed).toBe(true);
  });

  it('does not accumulate pongs', async () => {
    const { socket, stream } = await fallBehind();
    const before = stream.pendingBytes;
    for (let i = 0; i < 1000; i++) socket.write(clientFrame(ping, 'p'.repeat(100)));
    socket.write(clientFrame(close, normally));
    await expect.poll(() => stream.closed).toBe(true);
    expect(stream.pendingBytes).toBeLessThan(before + 1000);
  });

  it('gets the pong when it has caught up', async () => {
    const { socket } = await fallBehind();
    for (let i = 0; i < 10; i++) socket.write(clientFrame(ping, `${i}`));
    expect(await until(socket, '\x8a\x019')).toMatch(/x{100}/);
  });
});

describe('a listener with a WebSocket', () => {
  it('is drained when the stream has ended', async () => {
    const { listener, accepted } = await listenAndAccept();
    const client = connect(listener);
    await opened(client);
    const code = closeCode(client);
    const { stream } = await accepted;
    let isDrained = false;
    const drained = listener.drain().then(() => {
      isDrained = true;
    });
    const message = new Promise((resolve) => client.once('message', (data) => resolve(String(data))));
    stream.write(Buffer.from('the last'));
    expect(await message).toBe('the last');
    expect(isDrained).toBe(false);
    stream.end();
    expect(await code).toBe(1000);
    await drained;
  });

  it.each<[string, (listener: Listener) => Promise<void>]>([
    ['drained for too long', (listener) => listener.drain({ timeout: 20 })],
    ['closed', (listener) => listener.close()],
  ])('cuts it when it is %s', async (_name, end) => {
    const { listener, accepted } = await listenAndAccept();
    const client = connect(listener);
    await opened(client);
    const code = closeCode(client);
    const { exchange } = await accepted;
    await end(listener);
    expect(await code).toBe(1006);
    await aborted(exchange);
  });

  it('accepts one that was requested before the drain', async () => {
    const held = deferred<Exchange>();
    const listener = await listen((exchange) => held.resolve(exchange));
    const client = connect(listener);
    const code = closeCode(client);
    const exchange = await held.promise;
    const drained = listener.drain();
    webSocketStream(exchange, { binary: false }).end();
    expect(await code).toBe(1000);
    await drained;
  });
});
