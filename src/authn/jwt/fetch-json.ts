import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { decodeJson } from '../../codec/json/index.ts';

export interface FetchOptions {
  /** PEM; absent: the CAs that Node.js trusts. */
  readonly certificateAuthority?: string;
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

const mostRedirects = 5;

/** Fetches JSON over https, and never over anything else. Rejects with an Error that says where and why. */
export async function fetchJson(url: string, options: FetchOptions): Promise<unknown> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  const agent = new Agent({ ca: options.certificateAuthority, keepAlive: false, rejectUnauthorized: true });
  try {
    return await followed(url, { ...options, agent, signal });
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${options.timeoutMs / 1000} s` : (error as Error).message;
    throw new Error(`GET ${url}: ${reason}`, { cause: error });
  } finally {
    agent.destroy();
  }
}

interface Fetching extends FetchOptions {
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

async function followed(url: string, fetching: Fetching): Promise<unknown> {
  let next = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    if (next.protocol !== 'https:') throw new Error('the URL must be of https');
    const response = await answerOf(next, fetching);
    const { statusCode = 0 } = response;
    const { location } = response.headers;
    if (statusCode === 200) return decodeJson(await bodyOf(response, fetching.mostBytes)).value;
    response.destroy();
    if (statusCode < 301 || statusCode > 308 || location === undefined)
      throw new Error(`answered with status ${statusCode}`);
    next = new URL(location, next);
  }
  throw new Error('too many redirects');
}

function answerOf(url: URL, { agent, signal }: Fetching): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent, signal, headers: { accept: 'application/json' } }, resolve).on('error', reject);
  });
}

async function bodyOf(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) {
      response.destroy();
      throw new Error(`the answer is longer than ${mostBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
