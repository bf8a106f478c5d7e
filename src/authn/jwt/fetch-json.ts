import { connectionFailure, DeadlineError, type HttpResponse, HttpTarget } from '../../client/index.ts';
import { decodeJson } from '../../codec/json/index.ts';

export interface FetchOptions {
  /** PEM. Default: the CAs that Node.js trusts. */
  readonly certificateAuthority?: string;
  /** Covers all redirects. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Abort it to end the request. */
  readonly stop?: AbortSignal | undefined;
}

const maxRedirects = 5;

/**
 * Fetches JSON over HTTPS. Redirects to any other scheme fail. Rejects with an Error that names the URL and the reason.
 */
export async function fetchJson(url: string, options: FetchOptions): Promise<unknown> {
  try {
    return await getFollowingRedirects(url, options);
  } catch (error) {
    const isLate = error instanceof DeadlineError;
    const reason = isLate ? `no response within ${options.timeoutMs / 1000} s` : connectionFailure(error as Error);
    throw new Error(`GET ${url}: ${reason}`, { cause: error });
  }
}

async function getFollowingRedirects(url: string, options: FetchOptions): Promise<unknown> {
  const deadline = performance.now() + options.timeoutMs;
  let next = new URL(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (next.protocol !== 'https:') throw new Error('the URL must use https');
    const { status, headers, body } = await get(next, { ...options, timeoutMs: deadline - performance.now() });
    if (status === 200) {
      if (body === undefined) throw new Error(`the response is longer than ${options.maxBytes} bytes`);
      return decodeJson(body).value;
    }
    const { location } = headers;
    if (status < 301 || status > 308 || location === undefined) throw new Error(`the response has status ${status}`);
    next = new URL(location, next);
  }
  throw new Error('too many redirects');
}

/** Uses a connection of its own: issuers are asked every few minutes. */
async function get(url: URL, { certificateAuthority, timeoutMs, maxBytes, stop }: FetchOptions): Promise<HttpResponse> {
  const access = { url, ...(certificateAuthority !== undefined && { ca: certificateAuthority }) };
  const target = new HttpTarget(access, { stop });
  const headers = { accept: 'application/json' };
  try {
    return await target.get({ path: `${url.pathname}${url.search}`, headers, maxResponseBytes: maxBytes, timeoutMs });
  } finally {
    target.close();
  }
}
