import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deferred, listen, type Send, sendHttp1, sendHttp2 } from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };
const versions: [string, Send][] = [
  ['HTTP/1.1', sendHttp1],
  ['HTTP/2', sendHttp2],
];

describe.each(versions)('an exchange over %s', (_version, send) => {
  it('passes method, path, query and headers in and the response out', async () => {
    const listener = await listen((exchange) => {
      const { method, path, query } = exchange;
      const seen = { method, path, query, accept: exchange.header('accept'), missing: exchange.header('x-missing') };
      exchange.respond(201, { ...plain, 'x-answer': 'yes' }, JSON.stringify(seen));
    });
    const response = await send(listener, { path: '/a%20b/c?x=1&y=?', headers: { accept: ['text/a', 'text/b'] } });
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({
      ...plain,
      'x-answer': 'yes',
      'content-length': String(response.body.length),
    });
    expect(response.headers.date).toBeDefined();
    expect(JSON.parse(response.body.toString())).toEqual({
      method: 'GET',
      path: '/a%20b/c',
      query: 'x=1&y=?',
      accept: 'text/a, text/b',
    });
  });

  it('keeps headers that were set before the answer, lists among them', async () => {
    const listener = await listen((exchange) => {
      exchange.setHeader('audit-id', 'a1');
      exchange.setHeader('warning', ['299 - "one"', '299 - "two"']);
      exchange.setHeader('cache-control', 'no-store');
      exchange.respond(200, { ...plain, 'cache-control': 'private' }, 'ok');
    });
    const { headers } = await send(listener);
    expect(headers).toMatchObject({ 'audit-id': 'a1', 'cache-control': 'private' });
    expect([headers.warning].flat().join(', ')).toBe('299 - "one", 299 - "two"');
  });

  it('adds headers to those that responses share, without changing them', async () => {
    const shared = Object.freeze({ 'x-shared': 'yes', 'cache-control': 'no-store' });
    const listener = await listen((exchange) => {
      if (exchange.path === '/late') exchange.setHeader('warning', '299 - "first"');
      exchange.setHeaders(shared);
      if (exchange.path === '/early') exchange.setHeader('warning', '299 - "second"');
      exchange.respond(200, { ...plain, 'cache-control': 'private' }, 'ok');
    });
    const common = { 'x-shared': 'yes', 'cache-control': 'private' };
    expect((await send(listener, { path: '/early' })).headers).toMatchObject({ ...common, warning: '299 - "second"' });
    expect((await send(listener, { path: '/late' })).headers).toMatchObject({ ...common, warning: '299 - "first"' });
    const { headers } = await send(listener);
    expect(headers).toMatchObject(common);
    expect(headers.warning).toBeUndefined();
  });

  it('does not change the headers that it is given', async () => {
    const shared = Object.freeze({ ...plain });
    const listener = await listen((exchange) => exchange.respond(200, shared, 'ok'));
    expect((await send(listener)).status).toBe(200);
    expect((await send(listener)).status).toBe(200);
  });

  it('answers HEAD with the headers of the whole answer and no body', async () => {
    const listener = await listen((exchange) => exchange.respond(200, plain, 'twelve bytes'));
    const response = await send(listener, { method: 'HEAD' });
    expect(response).toMatchObject({ status: 200, headers: { 'content-length': '12' } });
    expect(response.body).toHaveLength(0);
  });

  it('answers HEAD without a body also when streamed', async () => {
    const listener = await listen((exchange) => {
      const stream = exchange.respondStream(200, plain);
      expect(stream.write(Buffer.from('never seen'))).toBe(true);
      stream.end();
    });
    const response = await send(listener, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.body).toHaveLength(0);
  });

  it.each([204, 304])('sends no length with %i', async (status) => {
    const listener = await listen((exchange) => exchange.respond(status, { etag: '"x"' }, ''));
    const response = await send(listener);
    expect(response.status).toBe(status);
    expect(response.headers['content-length']).toBeUndefined();
  });

  it('leaves the other exchanges alone when a handler throws', async () => {
    const faults: unknown[] = [];
    const onFault = (error: unknown): unknown => faults.push(error);
    const listener = await listen(
      (exchange) => {
        if (exchange.path === '/bad') throw new Error('oops');
        exchange.respond(200, plain, 'ok');
      },
      { onFault },
    );
    await expect(send(listener, { path: '/bad' })).rejects.toThrow();
    expect(faults).toEqual([new Error('oops')]);
    expect((await send(listener)).status).toBe(200);
  });

  it('sends no response when it is aborted', async () => {
    const listener = await listen((exchange) => exchange.abort());
    await expect(send(listener)).rejects.toThrow();
  });

  it('does not complete a response when it is aborted', async () => {
    const listener = await listen((exchange) => {
      exchange.respondStream(200, plain).write(Buffer.from('half'));
      setImmediate(() => exchange.abort());
    });
    await expect(send(listener)).rejects.toThrow();
  });

  it('aborts its signal when the answer is complete', async () => {
    const ended = deferred();
    const listener = await listen((exchange) => {
      const { signal } = exchange;
      expect(exchange.signal).toBe(signal);
      expect(signal.aborted).toBe(false);
      signal.addEventListener('abort', () => ended.resolve());
      expect(exchange.responded).toBe(false);
      exchange.respond(200, plain, 'ok');
      expect(exchange.responded).toBe(true);
    });
    await send(listener);
    await ended.promise;
  });
});

describe.each(versions)('a streamed response over %s', (_version, send) => {
  it('arrives completely at any size, with backpressure', async () => {
    const chunk = Buffer.alloc(256 * 1024, 'x');
    const count = 60;
    let maxPending = 0;
    const listener = await listen(async (exchange) => {
      const stream = exchange.respondStream(200, plain);
      for (let i = 0; i < count; i++) {
        if (!stream.write(chunk)) await stream.drained();
        maxPending = Math.max(maxPending, stream.pendingBytes);
      }
      stream.end();
    });
    const { body } = await send(listener);
    const hash = createHash('sha256');
    for (let i = 0; i < count; i++) hash.update(chunk);
    expect(createHash('sha256').update(body).digest('hex')).toBe(hash.digest('hex'));
    expect(maxPending).toBeLessThan(8 * chunk.length);
  });
});
