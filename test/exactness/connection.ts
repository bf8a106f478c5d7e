import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import type { Readable } from 'node:stream';
import type { TestApi } from '../wire/api.ts';

export interface OpenResponse {
  readonly status: number;
  readonly body: Readable;
  /** Closes the stream at its current position. */
  cut(): void;
}

export interface Sent {
  readonly method: string;
  readonly body?: string;
  readonly contentType?: string;
}

/**
 * The connection of a client to the server. It survives restarts of the server: the request after a failure reconnects.
 */
export interface Connection {
  get(path: string): Promise<OpenResponse>;
  /** Rejects when there is no response. Aborting the signal cancels the request and its response. */
  send(path: string, sent: Sent, signal?: AbortSignal): Promise<OpenResponse>;
  close(): void;
}

/** The address of a server and the credentials for it. */
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

/** Uses one session for all requests until it fails. */
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
    // A session that fails before it is connected closes its streams without an error.
    const status = await new Promise<number>((resolve, reject) => {
      stream.once('response', (received) => resolve(received[':status']!));
      stream.once('close', () => reject(new Error('closed before the answer')));
    });
    return { status, body: stream, cut: () => stream.destroy() };
  };
  return { get: (path) => send(path, { method: 'GET' }), send, close: () => session?.destroy() };
}

/** Reads the whole body. Rejects when it is incomplete. */
export async function textOf({ body }: OpenResponse): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  if ('aborted' in body && body.aborted) throw new Error('the answer was cut');
  return Buffer.concat(chunks).toString();
}
