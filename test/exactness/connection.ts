import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import type { Readable } from 'node:stream';
import type { TestApi } from '../wire/api.ts';

export interface OpenResponse {
  readonly status: number;
  readonly body: Readable;
  /** Cuts it off, wherever it is. */
  cut(): void;
}

export interface Sent {
  readonly method: string;
  readonly body?: string;
  readonly contentType?: string;
}

/** A client's way to the server. It survives the server: the next request after a failure connects anew. */
export interface Connection {
  get(path: string): Promise<OpenResponse>;
  /** Rejects when there is no response; an abort cuts the request and its response off. */
  send(path: string, sent: Sent, signal?: AbortSignal): Promise<OpenResponse>;
  close(): void;
}

/** Where a server is, and how to get in. */
export interface Endpoint {
  readonly server: { readonly url: string };
  readonly tls: TestApi['tls'];
}

export function http1Connection({ server, tls }: Endpoint): Connection {
  const agent = new Agent({ ...tls, keepAlive: true });
  const send: Connection['send'] = (path, { method, body, contentType }, signal) =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      };
      const options = { agent, method, headers, ...(signal !== undefined && { signal }) };
      const sent = request(new URL(path, server.url), options, (response) => {
        response.on('error', () => {});
        resolve({ status: response.statusCode!, body: response, cut: () => sent.destroy() });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { get: (path) => send(path, { method: 'GET' }), send, close: () => agent.destroy() };
}

/** All requests share one session as long as it lives. */
export function http2Connection({ server, tls }: Endpoint): Connection {
  let session: ClientHttp2Session | undefined;
  const open = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(server.url, { ...tls });
      session.on('error', () => {});
    }
    return session;
  };
  const send: Connection['send'] = async (path, { method, body, contentType }, signal) => {
    const headers = { ':method': method, ':path': path, ...(contentType && { 'content-type': contentType }) };
    const stream = open().request(headers, { endStream: body === undefined, ...(signal !== undefined && { signal }) });
    stream.on('error', () => {});
    if (body !== undefined) stream.end(body);
    // A session that dies before it is connected closes its streams without an error.
    const status = await new Promise<number>((resolve, reject) => {
      stream.once('response', (received) => resolve(received[':status']!));
      stream.once('close', () => reject(new Error('closed before the answer')));
    });
    return { status, body: stream, cut: () => stream.destroy() };
  };
  return { get: (path) => send(path, { method: 'GET' }), send, close: () => session?.destroy() };
}

/** The whole body. Rejects when it is cut. */
export async function textOf({ body }: OpenResponse): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  if ('aborted' in body && body.aborted) throw new Error('the answer was cut');
  return Buffer.concat(chunks).toString();
}
