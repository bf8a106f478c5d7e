import { once } from 'node:events';
import http2, { type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createAuthority, issueServer } from '../../test/wire/certificates.ts';
import { WebhookClients } from './webhook/index.ts';

interface ServerOptions {
  readonly onStream?: (stream: ServerHttp2Stream, count: number) => void;
  readonly settings?: http2.Settings;
  readonly allowHTTP1?: boolean;
}

/** A webhook that speaks HTTP/2, and a client for it. */
async function start({ onStream = answer, settings = {}, allowHTTP1 = false }: ServerOptions = {}) {
  const authority = await createAuthority('h2');
  const pair = await issueServer(authority, '127.0.0.1');
  const server = http2.createSecureServer({ ...pair, settings, allowHTTP1 });
  const sessions = new Set<http2.ServerHttp2Session>();
  let [opened, streams] = [0, 0];
  server.on('session', (session) => {
    opened++;
    sessions.add(session);
    session.on('error', () => {});
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    onStream(stream, ++streams);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients = new WebhookClients({ services: { resolve: () => ({ host: '127.0.0.1', port: 0 }) } });
  onTestFinished(() => {
    clients.close();
    for (const session of sessions) session.destroy();
    server.close();
  });
  const caBundle = Buffer.from(authority.cert).toString('base64');
  const post = (path = '/hook', text = '{}', timeoutMs = 30_000) =>
    clients.get({ url: url + path, caBundle }).post({ text, timeoutMs, maxResponseBytes: 1024 * 1024 });
  const connect = (ca = caBundle) => clients.get({ url, caBundle: ca });
  return { post, connect, clients, sessions, opened: () => opened, streams: () => streams };
}

/** Answers with the path and what was received. */
function answer(stream: ServerHttp2Stream): void {
  stream.once('headers', () => {});
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    stream.end(JSON.stringify({ received: Buffer.concat(chunks).length }));
  });
}

const tenCalls = [...Array(10).keys()];

it('calls in parallel share a connection, also those to other paths', async () => {
  const { post, opened, streams, sessions, clients } = await start();
  const calls = tenCalls.map((index) => post(`/${index % 3}`, ' '.repeat(index * 30_000)));
  expect(await Promise.all(calls)).toEqual(tenCalls.map((index) => ({ received: index * 30_000 })));
  expect([opened(), streams()]).toEqual([1, 10]);
  await post();
  expect(opened()).toBe(1);
  clients.close();
  await vi.waitFor(() => expect(sessions.size).toBe(0));
});

it('a CA that does not match gets no connection of another webhook', async () => {
  const { post, connect } = await start();
  await post();
  const { cert } = await createAuthority('other');
  const call = { text: '{}', timeoutMs: 30_000, maxResponseBytes: 1000 };
  const other = connect(Buffer.from(cert).toString('base64'));
  await expect(other.post(call)).rejects.toThrow('certificate signed by unknown authority');
});

it('calls beyond the limit of the server get further connections, and then wait', async () => {
  const { post, opened } = await start({ settings: { maxConcurrentStreams: 1 } });
  const calls = Array.from({ length: 30 }, () => post());
  expect(await Promise.all(calls)).toHaveLength(30);
  expect(opened()).toBeGreaterThan(1);
  expect(opened()).toBeLessThanOrEqual(8);
});

it('a call that the server has refused is repeated', async () => {
  const { post, streams } = await start({
    onStream: (stream, count) => (count < 3 ? stream.close(http2.constants.NGHTTP2_REFUSED_STREAM) : answer(stream)),
  });
  expect(await post()).toEqual({ received: 2 });
  expect(streams()).toBe(3);
});

it('a call that the server may have processed is not repeated', async () => {
  const { post, streams } = await start({
    onStream: (stream) => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR),
  });
  await expect(post()).rejects.toThrow('the server reset the request with code 2');
  expect(streams()).toBe(1);
});

it('a connection that the server closes is replaced', async () => {
  const { post, sessions, opened } = await start();
  await post();
  for (const session of sessions) session.close();
  await vi.waitFor(() => expect(sessions.size).toBe(0));
  await Promise.all(tenCalls.map(() => post()));
  expect(opened()).toBe(2);
});

it('a connection that gives no sign of life during a call is replaced', async () => {
  const { post, opened } = await start({ onStream: (stream, count) => (count === 1 ? undefined : answer(stream)) });
  await expect(post('/', '{}', 100)).rejects.toThrow('context deadline exceeded');
  await post();
  expect(opened()).toBeLessThanOrEqual(2);
});
