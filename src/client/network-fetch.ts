import https from 'node:https';
import { Authorization } from './authorization.ts';
import type { ApiRequest, ApiResponse, Fetch } from './fetch.ts';
import { agentFor, http } from './http-target.ts';
import type { ServerAccess } from './server-access.ts';

/** How long to wait for the headers of a response. The duration of a watch after that is not limited. */
const defaultTimeoutMs = 30_000;

export interface NetworkFetchOptions {
  readonly timeoutMs?: number;
}

export interface NetworkFetch {
  readonly fetch: Fetch;
  /** Ends all connections, and with them the requests that still run. */
  close(): void;
}

/**
 * Sends requests to a server over HTTP/1.1. Connections are kept alive. Redirects are not followed, because the
 * credentials are for this server only. The body of a response must be read to its end, or its request aborted.
 */
export function networkFetch(
  access: ServerAccess,
  { timeoutMs = defaultTimeoutMs }: NetworkFetchOptions = {},
): NetworkFetch {
  const agent = agentFor(access);
  const authorization = new Authorization(access);
  const open = access.url.protocol === 'http:' ? http.request : https.request;
  const base = access.url.pathname.replace(/\/$/, '');
  const send = (request: ApiRequest, headers: Readonly<Record<string, string>>): Promise<ApiResponse> =>
    new Promise((resolve, reject) => {
      const { method, body, signal } = request;
      const length = body === undefined ? undefined : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = open(access.url, {
        method,
        path: base + request.path,
        agent,
        headers: { ...headers, ...length },
        ...(signal && { signal }),
      });
      const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs);
      sent.once('response', (response) => {
        clearTimeout(timer);
        resolve({
          status: response.statusCode!,
          headers: response.headers as Readonly<Record<string, string>>,
          body: response,
        });
      });
      sent.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        // The server closed an idle connection before the request arrived, which says nothing about its health.
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && !signal?.aborted;
        if (isStale) send(request, headers).then(resolve, reject);
        else reject(signal?.aborted ? error : failure(request, access, error));
      });
      sent.end(body);
    });
  return {
    async fetch(request) {
      const own = { accept: 'application/json', 'user-agent': 'keelson', ...(await authorization.header()) };
      return send(request, { ...own, ...request.headers });
    },
    close: () => agent.destroy(),
  };
}

function failure({ method, path }: ApiRequest, { url }: ServerAccess, cause: NodeJS.ErrnoException): Error {
  return new Error(`${method} ${url.origin}${path}: ${cause.message || cause.code}`, { cause });
}
