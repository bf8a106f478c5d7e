import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { type CallResponse, openCall, readBody } from '../client/index.ts';
import type { Kubelet } from './kubelets.ts';

export interface KubeletRequest {
  readonly method: string;
  /** With the query, percent-encoded. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** Abort it to destroy the connection. */
  readonly signal: AbortSignal;
  /** Default: the connection is used for this request only. */
  readonly agent?: Agent;
  /** Whether it asks for another protocol. */
  readonly mayUpgrade?: boolean;
}

/** How long a kubelet may take to explain a failure. */
const explanationMs = 30_000;

/** The host and port as in URLs and in messages. */
export function hostOf({ host, port }: Kubelet): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Sends a request. Rejects with the error of the connection, also when that takes too long. */
export function callKubelet(
  kubelet: Kubelet,
  { agent, signal, mayUpgrade, ...rest }: KubeletRequest,
): Promise<CallResponse> {
  const { host, port, tls, connectTimeoutMs } = kubelet;
  const request = { host, port, ...tls, ...rest, agent: agent ?? false };
  return openCall({ request, signal, connectTimeoutMs, ...(mayUpgrade && { mayUpgrade }) });
}

/** Reads the beginning of a response body that describes a failure. */
export async function readExplanation(response: IncomingMessage, maxBytes: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(new Error('no answer in time')), explanationMs);
  try {
    return (await readBody(response, maxBytes)).bytes.toString();
  } finally {
    clearTimeout(timer);
  }
}
