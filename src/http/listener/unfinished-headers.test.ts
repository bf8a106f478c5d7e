import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { bodyOf, connectHttp1, listenForTraffic, writesOf } from './http1-traffic/http1-traffic.conformance.ts';
import type { Listener } from './listener.ts';
import { dataFrame, frame, headersFrame, opening, postBlock } from './raw-frames.conformance.ts';
import { connectRaw, deferred, listen, received } from './test-listener.conformance.ts';
import { defaultTimeouts } from './timeouts.ts';

const plain = { 'content-type': 'text/plain' };
/** HEADERS of 16,000 bytes, of which the client sends a few. */
const partOfHeaders = headersFrame(1, Buffer.alloc(16_000)).subarray(0, 20);

/** Resolves when a connection that sends nothing has been closed for it. */
async function headersLimit(listener: Listener): Promise<void> {
  await received(await connectRaw(listener));
}

it('by default, a client has ten seconds for a TLS handshake and for headers', () => {
  expect(defaultTimeouts).toMatchObject({ handshake: 10_000, headers: 10_000 });
});

describe('a connection whose headers never end is closed, although bytes arrive', () => {
  it.each<[string, string, Buffer]>([
    ['headers of HTTP/1.1', 'http/1.1', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\nx-long: ')],
    ['a frame of HTTP/2', 'h2', Buffer.concat([opening, partOfHeaders])],
    ['the headers of a frame of HTTP/2', 'h2', Buffer.concat([opening, frame(1, postBlock, { id: 1 }), partOfHeaders])],
  ])('%s', async (_what, protocol, bytes) => {
    const listener = await listen((exchange) => exchange.respond(200, plain, 'ok'), { timeouts: { headers: 300 } });
    const socket = await connectRaw(listener, { ALPNProtocols: [protocol] });
    const closed = received(socket);
    socket.write(bytes);
    const trickle = setInterval(() => socket.write('x'), 20);
    const response = await closed;
    clearInterval(trickle);
    expect(response).not.toContain('ok');
  });
});

describe('the limit for headers does not apply to', () => {
  const half = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf';

  it('bodies, streamed responses and idle connections', async () => {
    const listener = await listen(
      async (exchange) => {
        if (exchange.path === '/watch') {
          const stream = exchange.respondStream(200, plain);
          stream.write(Buffer.from('first'));
          await goOn.promise;
          stream.write(Buffer.from('second'));
          stream.end();
        } else {
          const body = await exchange.readBody(100).catch(() => undefined);
          if (body !== undefined) exchange.respond(200, plain, body);
        }
      },
      { timeouts: { headers: 300 } },
    );
    const goOn = deferred();
    const [idle, body, watch, body2] = await Promise.all([
      connectHttp1(listener),
      connectRaw(listener),
      connectRaw(listener),
      connectRaw(listener, { ALPNProtocols: ['h2'] }),
    ]);
    await idle.write([Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')]);
    expect(await idle.next()).toMatchObject({ status: 200 });
    body.write(half);
    watch.write('GET /watch HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const events = received(watch);
    body2.write(Buffer.concat([opening, headersFrame(1, postBlock), dataFrame(1, Buffer.from('half'))]));
    await headersLimit(listener);
    await headersLimit(listener);

    goOn.resolve();
    expect(await events).toMatch(/first.*second/s);
    await idle.write([Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')]);
    expect(await idle.next()).toMatchObject({ status: 200 });
    body.write('whole');
    const [response] = (await once(body, 'data')) as [Buffer];
    expect(response.toString()).toContain('200 OK');
    expect(body2.destroyed).toBe(false);
    body2.destroy();
  });

  it('headers of which the server does not read the rest, because the client does not read', async () => {
    const responding = [deferred(), deferred()];
    const listener = await listenForTraffic(() => responding.shift()?.resolve(), { timeouts: { headers: 500 } });
    const client = await connectHttp1(listener);
    const request = (id: number, responseLength: number): Buffer =>
      writesOf({ id, body: bodyOf(0), writing: 'at once', responseLength, isStreamed: false })[0]!;
    for (const [id, length] of [24 << 20, 100_000].entries()) {
      const { promise } = responding[0]!;
      await client.write([request(id, length)]);
      await promise;
    }
    // Now so much is unread that the server pauses after the third request.
    const last = request(3, 10);
    await client.write([Buffer.concat([request(2, 10), last.subarray(0, 20)]), last.subarray(20)]);
    await headersLimit(listener);
    await headersLimit(listener);
    for (const id of ['0', '1', '2', '3']) expect((await client.next()).headers.get('x-id')).toBe(id);
  });
});

it('frames of which each arrives in two parts are in time', async () => {
  const listener = await listen((exchange) => exchange.respond(200, plain, 'ok'), { timeouts: { headers: 3_000 } });
  const socket = await connectRaw(listener, { ALPNProtocols: ['h2'] });
  socket.on('data', () => {});
  let isOver = false;
  const limit = headersLimit(listener).then(() => {
    isOver = true;
  });
  const ping = frame(6, Buffer.alloc(8), {});
  socket.write(Buffer.concat([opening, ping.subarray(0, 5)]));
  while (!isOver) {
    socket.write(Buffer.concat([ping.subarray(5), ping.subarray(0, 5)]));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await limit;
  expect(socket.destroyed).toBe(false);
});
