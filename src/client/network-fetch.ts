import { urlToHttpOptions } from 'node:url';
import { Authorization } from './authorization.ts';
import type { ApiRequest, ApiResponse, Fetch } from './fetch.ts';
import { agentFor } from './http-target.ts';
import { openCall } from './open-call.ts';
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
  const address = urlToHttpOptions(access.url);
  const base = access.url.pathname.replace(/\/$/, '');
  const send = async (call: ApiRequest, headers: Readonly<Record<string, string>>): Promise<ApiResponse> => {
    const { method, path, body, signal } = call;
    const length = body === undefined ? undefined : { 'content-length': String(Buffer.byteLength(body)) };
    try {
      const request = { ...address, method, path: base + path, agent, headers: { ...headers, ...length } };
      const { head } = await openCall({ request, body, signal, headTimeoutMs: timeoutMs });
      return { status: head.statusCode!, headers: head.headers as Readonly<Record<string, string>>, body: head };
    } catch (error) {
      throw signal?.aborted ? error : failure(call, access, error as NodeJS.ErrnoException);
    }
  };
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
