/** Shared by the WebSocket tests: a listener that accepts them, clients, and raw frames. */
import type tls from 'node:tls';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Exchange, ResponseStream } from '../exchange.ts';
import { requestsWebSocket, webSocketStream } from '../web-socket.ts';
import type { Listener } from './listener.ts';
import { caCert, deferred, listen } from './test-listener.conformance.ts';

const origin = 'https://example.test';
const key = 'dGhlIHNhbXBsZSBub25jZQ==';

export interface Accepted {
  readonly exchange: Exchange;
  readonly stream: ResponseStream;
}

/** A listener that accepts every WebSocket and responds to all other requests. */
export async function listenAndAccept({ binary = false, closeTimeoutMs = 2000 } = {}) {
  const accepted = deferred<Accepted>();
  const listener = await listen((exchange) => {
    if (!requestsWebSocket(exchange)) exchange.respond(200, { 'content-type': 'text/plain' }, 'no WebSocket');
    else accepted.resolve({ exchange, stream: webSocketStream(exchange, { binary, closeTimeoutMs }) });
  });
  return { listener, accepted: accepted.promise };
}

export function connect(listener: Listener, protocols: string[] = []): WebSocket {
  const client = new WebSocket(`wss://127.0.0.1:${listener.port}/`, protocols, { ca: caCert, origin });
  client.on('error', () => {});
  onTestFinished(() => client.terminate());
  return client;
}

export function opened(client: WebSocket): Promise<unknown> {
  return new Promise((resolve) => client.once('open', resolve));
}

export function closeCode(client: WebSocket): Promise<number> {
  return new Promise((resolve) => client.once('close', resolve));
}

export function aborted({ signal }: Exchange): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', resolve));
}

/** The bytes of a WebSocket request. Undefined headers are omitted. */
export function handshake(changes: Record<string, string | undefined> = {}, line = 'GET / HTTP/1.1'): string {
  const headers = {
    Host: 'x',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    Origin: origin,
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': key,
    ...changes,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[line, ...lines].join('\r\n')}\r\n\r\n`;
}

export const close = 8;
export const ping = 9;

/** A short frame of a client, masked with zeros. */
export function clientFrame(opcode: number, payload = ''): Buffer {
  return Buffer.from(`${String.fromCharCode(0x80 | opcode, 0x80 | payload.length)}\0\0\0\0${payload}`, 'latin1');
}

/** The bytes of the close code 1000. */
export const normally = '\x03\xe8';

/** The bytes that a socket receives up to the chunk with the given end. */
export async function until(socket: tls.TLSSocket, end: string): Promise<string> {
  const chunks: string[] = [];
  let tail = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push((chunk as Buffer).toString('latin1'));
    tail = tail.slice(-end.length) + chunks.at(-1);
    if (tail.includes(end)) break;
  }
  return chunks.join('');
}
