import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Kubelet } from './kubelets.ts';

export interface KubeletRequest {
  readonly method: string;
  /** With the query, percent-encoded. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** Its abort destroys the connection. */
  readonly signal: AbortSignal;
  /** Default: the connection is used for this request only. */
  readonly agent?: Agent;
}

/** The host and port as in URLs and in messages. */
export function hostOf({ host, port }: Kubelet): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Starts a request. It fails when the connection takes too long. */
export function requestTo(kubelet: Kubelet, { method, path, headers, signal, agent }: KubeletRequest): ClientRequest {
  const { host, port, tls, connectTimeoutMs } = kubelet;
  const call = https.request({ host, port, ...tls, method, path, headers, signal, agent: agent ?? false });
  call.once('socket', (socket: Socket) => {
    if (!socket.connecting && (socket as TLSSocket).getProtocol?.() !== null) return;
    const expire = (): void => void call.destroy(new Error(`dial tcp ${hostOf(kubelet)}: i/o timeout`));
    const timer = setTimeout(expire, connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once('secureConnect', stop);
    socket.once('close', stop);
  });
  return call;
}

/** Resolves with the head of the response. Rejects with the error of the connection. */
export function responseOf(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('response', resolve);
    call.on('error', reject);
  });
}

/** The response to an offer to switch protocols. */
export interface UpgradeResponse {
  readonly response: IncomingMessage;
  /** Undefined when the kubelet did not switch. */
  readonly socket: Duplex | undefined;
}

/** Requests a protocol switch from the kubelet. Rejects with the error of the connection. */
export function requestUpgrade(kubelet: Kubelet, request: KubeletRequest): Promise<UpgradeResponse> {
  const call = requestTo(kubelet, request);
  return new Promise((resolve, reject) => {
    call.once('response', (response: IncomingMessage) => resolve({ response, socket: undefined }));
    call.once('upgrade', (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      resolve({ response, socket });
    });
    call.on('error', reject);
    call.end();
  });
}

/** Reads the beginning of a response body that describes a failure. */
export async function readExplanation(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the connection.
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes);
}
