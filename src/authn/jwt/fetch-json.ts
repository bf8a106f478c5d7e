import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { withRootCertificates } from '../../client/index.ts';
import { decodeJson } from '../../codec/json/index.ts';

export interface FetchOptions {
  /** PEM. Default: the CAs that Node.js trusts. */
  readonly certificateAuthority?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const maxRedirects = 5;

/**
 * Fetches JSON over HTTPS. Redirects to any other scheme fail. Rejects with an Error that names the URL and the reason.
 */
export async function fetchJson(url: string, options: FetchOptions): Promise<unknown> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  const agent = new Agent({
    ...withRootCertificates({ ca: options.certificateAuthority, rejectUnauthorized: true }),
    keepAlive: false,
  });
  try {
    return await getFollowingRedirects(url, { ...options, agent, signal });
  } catch (error) {
    const reason = signal.aborted ? `no response within ${options.timeoutMs / 1000} s` : (error as Error).message;
    throw new Error(`GET ${url}: ${reason}`, { cause: error });
  } finally {
    agent.destroy();
  }
}

interface RequestOptions extends FetchOptions {
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

async function getFollowingRedirects(url: string, fetching: RequestOptions): Promise<unknown> {
  let next = new URL(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (next.protocol !== 'https:') throw new Error('the URL must use https');
    const response = await getResponse(next, fetching);
    const { statusCode = 0 } = response;
    const { location } = response.headers;
    if (statusCode === 200) return decodeJson(await readBody(response, fetching.maxBytes)).value;
    response.destroy();
    if (statusCode < 301 || statusCode > 308 || location === undefined)
      throw new Error(`the response has status ${statusCode}`);
    next = new URL(location, next);
  }
  throw new Error('too many redirects');
}

function getResponse(url: URL, { agent, signal }: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent, signal, headers: { accept: 'application/json' } }, resolve).on('error', reject);
  });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) {
      response.destroy();
      throw new Error(`the response is longer than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
