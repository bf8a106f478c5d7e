import { describe, expect, it } from 'vitest';
import type { Exchange, ResponseStream } from '../exchange.ts';
import { connectHttp2, connectRaw, deferred, listen, type Send } from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };

describe('a client that disconnects', () => {
  const cases: [string, (port: Parameters<Send>[0]) => Promise<() => void>][] = [
    [
      'HTTP/1.1',
      async (listener) => {
        const socket = await connectRaw(listener);
        socket.write('GET /watch HTTP/1.1\r\nHost: x\r\n\r\n');
        socket.resume();
        return () => socket.destroy();
      },
    ],
    [
      'HTTP/2, by reset',
      async (listener) => {
        const stream = connectHttp2(listener).request({ ':path': '/watch' });
        stream.on('error', () => {});
        stream.resume();
        return () => stream.close(8);
      },
    ],
    [
      'HTTP/2, by disconnection',
      async (listener) => {
        const session = connectHttp2(listener);
        const stream = session.request({ ':path': '/watch' });
        stream.on('error', () => {});
        stream.resume();
        return () => session.destroy();
      },
    ],
  ];

  it.each(cases)('aborts the signal and resolves pending waits (%s)', async (_name, begin) => {
    const started = deferred<{ exchange: Exchange; stream: ResponseStream }>();
    const listener = await listen((exchange) => {
      const stream = exchange.respondStream(200, plain);
      started.resolve({ exchange, stream });
    });
    const leave = await begin(listener);
    const { exchange, stream } = await started.promise;
    const aborted = new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
    leave();
    await aborted;
    expect(stream.closed).toBe(true);
    await stream.drained();
    expect(stream.write(Buffer.from('to nobody'))).toBe(true);
    stream.end();
    exchange.abort();
    expect(exchange.signal.aborted).toBe(true);
  });

  it('resolves the wait of a writer whose client does not read', async () => {
    const over = deferred();
    const behind = deferred();
    const listener = await listen(async (exchange) => {
      const stream = exchange.respondStream(200, plain);
      const chunk = Buffer.alloc(1 << 20);
      while (!stream.closed) {
        if (!stream.write(chunk)) {
          if (stream.pendingBytes > 0) behind.resolve();
          await stream.drained();
        }
      }
      over.resolve();
    });
    const socket = await connectRaw(listener);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await behind.promise;
    socket.destroy();
    await expect(over.promise).resolves.toBeUndefined();
  });

  it('makes a late response harmless (HTTP/1.1)', async () => {
    const late = deferred<Exchange>();
    const listener = await listen((exchange) => late.resolve(exchange));
    const socket = await connectRaw(listener);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const exchange = await late.promise;
    const aborted = new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
    socket.destroy();
    await aborted;
    expect(() => exchange.respond(200, plain, 'late')).not.toThrow();
    expect(exchange.signal.aborted).toBe(true);
  });

  it('makes a late response harmless (HTTP/2)', async () => {
    const late = deferred<Exchange>();
    const listener = await listen((exchange) => late.resolve(exchange));
    const stream = connectHttp2(listener).request({ ':path': '/' });
    stream.on('error', () => {});
    const exchange = await late.promise;
    const aborted = new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
    stream.close(8);
    await aborted;
    expect(() => {
      exchange.respond(200, plain, 'late');
      exchange.respondStream(200, plain).end();
    }).not.toThrow();
    expect(exchange.signal.aborted).toBe(true);
  });
});
