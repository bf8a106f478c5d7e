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

/** A client's way to the server. It survives the server: the next request after a failure connects anew. */
export interface Connection {
  /** Rejects when there is no response. */
  get(path: string): Promise<OpenResponse>;
  close(): void;
}

type Endpoint = Pick<TestApi, 'server' | 'tls'>;

export function http1Connection({ server, tls }: Endpoint): Connection {
  const agent = new Agent({ ...tls, keepAlive: true });
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(path, server.url), { agent }, (response) => {
          response.on('error', () => {});
          resolve({ status: response.statusCode!, body: response, cut: () => sent.destroy() });
        });
        sent.on('error', reject);
        sent.end();
      }),
    close: () => agent.destroy(),
  };
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
  return {
    get: async (path) => {
      const stream = open().request({ ':path': path });
      stream.on('error', () => {});
      // A session that dies before it is connected closes its streams without an error.
      const status = await new Promise<number>((resolve, reject) => {
        stream.once('response', (headers) => resolve(headers[':status']!));
        stream.once('close', () => reject(new Error('closed before the answer')));
      });
      return { status, body: stream, cut: () => stream.destroy() };
    },
    close: () => session?.destroy(),
  };
}

/** The whole body. Rejects when it is cut. */
export async function textOf({ body }: OpenResponse): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  if ('aborted' in body && body.aborted) throw new Error('the answer was cut');
  return Buffer.concat(chunks).toString();
}
