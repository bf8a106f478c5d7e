import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { connectRaw, deferred, http1Agent, listen, received, sendThroughAgent } from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };

describe('HTTP/1.1', () => {
  it('keeps a connection for the next request', async () => {
    const connections = new Set<unknown>();
    const listener = await listen((exchange) => {
      connections.add(exchange.connection);
      exchange.respond(200, plain, 'ok');
    });
    const agent = http1Agent({ maxSockets: 1 });
    for (let i = 0; i < 3; i++) await sendThroughAgent(listener, agent);
    expect(connections.size).toBe(1);
  });

  it('takes a whole URL as the target, as proxies send it', async () => {
    const seen = deferred<string>();
    const listener = await listen((exchange) => {
      seen.resolve(`${exchange.path} ${exchange.query}`);
      exchange.respond(200, plain, 'ok');
    });
    const socket = await connectRaw(listener);
    socket.write('GET https://example.test/a/b?c=d HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await received(socket);
    expect(await seen.promise).toBe('/a/b c=d');
  });

  it('answers pipelined requests in order', async () => {
    const waiting: Exchange[] = [];
    const listener = await listen((exchange) => {
      waiting.push(exchange);
      if (waiting.length === 2) for (const one of waiting.reverse()) one.respond(200, plain, one.path);
    });
    const socket = await connectRaw(listener, { ALPNProtocols: ['http/1.1'] });
    socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const text = await received(socket);
    expect(text.indexOf('/1')).toBeGreaterThan(0);
    expect(text.indexOf('/2')).toBeGreaterThan(text.indexOf('/1'));
  });
});
