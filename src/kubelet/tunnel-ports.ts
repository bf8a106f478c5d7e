import { createRequire } from 'node:module';
import { acceptWebSocket } from '../http/web-socket.ts';
import { StatusError } from '../meta/status-error.ts';
import { relay } from '../proxy/relay.ts';
import { idleTimeoutMs, passRefusal, type StreamRequest, switchKubelet } from './stream-request.ts';

const require = createRequire(import.meta.url);
const prefix = 'SPDY/3.1+';
/** Messages are parts of the SPDY connection, with the size of a read. */
const maxPayload = 4 * 1024 * 1024;

/** The protocols of port-forwarding that a client offers to tunnel through a WebSocket. */
export function tunnelledProtocols(offered: readonly string[]): string[] {
  return offered
    .filter((name) => name.startsWith(prefix) && name.endsWith('.k8s.io'))
    .map((name) => name.slice(prefix.length));
}

/** Tunnels the SPDY connection of a client, carried in WebSocket messages, to the kubelet. */
export async function tunnelPorts(request: StreamRequest, protocols: readonly string[]): Promise<void> {
  const { exchange, signal } = request;
  const headers = { 'x-stream-protocol-version': [...protocols], 'x-forwarded-for': exchange.connection.remoteAddress };
  const { head: response, socket } = await switchKubelet(request, { method: 'POST', headers, upgrade: 'SPDY/3.1' });
  if (socket === undefined) return passRefusal(request, response);
  if (response.headers.upgrade?.toLowerCase() !== 'spdy/3.1') {
    socket.destroy();
    const message = 'unable to upgrade: missing upgrade headers in response';
    throw new StatusError({ code: 500, reason: '', message });
  }
  const chosen = `${prefix}${response.headers['x-stream-protocol-version'] ?? ''}`;
  const accepted = acceptWebSocket(exchange, {
    choose: (offered) => (offered.includes(chosen) ? chosen : undefined),
    maxPayload,
  });
  if (accepted === undefined) {
    socket.destroy();
    return;
  }
  // Loaded on demand: most servers never see a WebSocket.
  const { createWebSocketStream } = require('ws') as typeof import('ws');
  await relay(createWebSocketStream(accepted.webSocket), socket, { idleTimeoutMs, signal });
}
