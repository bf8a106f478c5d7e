import type { OutgoingHttpHeaders } from 'node:http';
import { type CallResponse, connectionFailure } from '../client/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { StatusError } from '../meta/status-error.ts';
import { receivedHeaders } from '../proxy/forwarded-headers.ts';
import { passBody } from '../proxy/pass-body.ts';
import { callKubelet, hostOf } from './kubelet-request.ts';
import type { Kubelet } from './kubelets.ts';

/** How long a connection may be silent, as in kubelets. */
export const idleTimeoutMs = 4 * 60 * 60_000;

/** A request for streams, on the way to the kubelet. */
export interface StreamRequest {
  readonly exchange: Exchange;
  readonly kubelet: Kubelet;
  /** With the query, percent-encoded. */
  readonly path: string;
  readonly signal: AbortSignal;
}

interface KubeletSwitch {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly upgrade: string;
}

/** Offers the kubelet to switch to the protocol. Rejects with the error to respond with when it cannot be reached. */
export async function switchKubelet(request: StreamRequest, given: KubeletSwitch): Promise<CallResponse> {
  try {
    return await requestSwitch(request, given);
  } catch (cause) {
    const message = `error dialing backend: ${connectionFailure(cause as Error)}`;
    throw new StatusError({ code: 500, reason: '', message }, { cause });
  }
}

/** Like `switchKubelet`. Rejects with the error of the connection. */
export function requestSwitch(
  { kubelet, path, signal }: StreamRequest,
  { method, headers, upgrade }: KubeletSwitch,
): Promise<CallResponse> {
  const sent = { ...headers, host: hostOf(kubelet), connection: 'Upgrade', upgrade };
  // None of these requests has a body.
  delete sent['content-length'];
  return callKubelet(kubelet, { method, path, headers: sent, signal, mayUpgrade: true });
}

/** Forwards the response of a kubelet that does not switch, if it contains the reason. */
export async function passRefusal({ exchange, signal }: StreamRequest, response: CallResponse['head']): Promise<void> {
  const status = response.statusCode!;
  if (status < 400) {
    response.destroy();
    throw new StatusError({ code: 500, reason: '', message: `invalid upgrade response: status code ${status}` });
  }
  const stream = exchange.respondStream(status, receivedHeaders(response.rawHeaders));
  await passBody(response, stream, { exchange, signal });
}
