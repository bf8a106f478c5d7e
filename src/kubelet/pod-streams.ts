import { randomBytes } from 'node:crypto';
import { endOf } from '../http/end-of-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Authorization } from '../http/filters/authorize.ts';
import type { Connect, ConnectOptions } from '../http/handlers/connect.ts';
import type { RequestContext } from '../http/request-context.ts';
import { requestsWebSocket } from '../http/web-socket.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { badRequest } from '../meta/status-error.ts';
import { forwardedHeaders, receivedHeaders } from '../proxy/forwarded-headers.ts';
import { relay } from '../proxy/relay.ts';
import type { PodLocator } from './pod-location.ts';
import { idleTimeoutMs, passRefusal, type StreamRequest, switchKubelet } from './stream-request.ts';
import { type CommandStreams, translateCommand } from './translate-command.ts';
import { tunnelledProtocols, tunnelPorts } from './tunnel-ports.ts';

const translatedProtocol = 'v5.channel.k8s.io';

export interface PodStreamDependencies {
  readonly pods: PodLocator;
  readonly authorization: Pick<Authorization, 'check'>;
}

interface CommandOptions extends CommandStreams {
  readonly container?: string;
  readonly command?: readonly string[];
}

/** Serves `pods/exec` and `pods/attach`. */
export function podCommand(path: 'exec' | 'attach', { pods, authorization }: PodStreamDependencies): Connect {
  return async ({ context, target, options, stop }) => {
    await authorizeAgain(context, authorization);
    const streams = options as CommandOptions;
    const { kubelet, container } = await pods.require(target, { container: streams.container ?? '' });
    const location = `/${path}/${target.namespace}/${target.name}/${container}${queryOf(streams)}`;
    const request = { exchange: context.exchange, kubelet, path: location, signal: endOf(context.exchange, stop) };
    const protocols = offeredProtocols(context.exchange);
    if (protocols.includes(translatedProtocol)) await translateCommand(request, streams);
    else await passThrough(request);
  };
}

/** Serves `pods/portforward`. */
export function podPortForward({ pods, authorization }: PodStreamDependencies): Connect {
  return async ({ context, target, options, stop }) => {
    await authorizeAgain(context, authorization);
    const { kubelet } = await pods.require(target, { container: undefined });
    const location = `/portForward/${target.namespace}/${target.name}${portQueryOf(options)}`;
    const request = { exchange: context.exchange, kubelet, path: location, signal: endOf(context.exchange, stop) };
    const tunnelled = tunnelledProtocols(offeredProtocols(context.exchange));
    if (tunnelled.length > 0) await tunnelPorts(request, tunnelled);
    else await passThrough(request);
  };
}

/** A WebSocket can only be opened with GET. It must not need fewer permissions than a POST. */
function authorizeAgain(
  context: RequestContext,
  authorization: PodStreamDependencies['authorization'],
): MaybePromise<void> {
  return context.info.verb === 'create' ? undefined : authorization.check(context, 'create');
}

function offeredProtocols(exchange: Exchange): string[] {
  if (!requestsWebSocket(exchange)) return [];
  return (exchange.header('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim());
}

/** Returns the query with sorted names, as Go writes it. */
function queryOf({ stdin, stdout, stderr, tty, command = [] }: CommandOptions): string {
  const query = new URLSearchParams(command.map((word): [string, string] => ['command', word]));
  for (const [name, isSet] of Object.entries({ error: stderr, input: stdin, output: stdout, tty })) {
    if (isSet) query.append(name, '1');
  }
  return query.size === 0 ? '' : `?${query}`;
}

function portQueryOf({ ports = [] }: ConnectOptions & { readonly ports?: readonly number[] }): string {
  return ports.length === 0 ? '' : `?${new URLSearchParams({ port: ports.join(',') })}`;
}

/**
 * Switches both connections to the protocol that the client offers and relays the bytes. If the kubelet does not
 * switch, its response is forwarded.
 */
async function passThrough(request: StreamRequest): Promise<void> {
  const { exchange, signal } = request;
  if (exchange.upgrade === undefined) throw badRequest('Upgrade request required');
  const { needsKey, protocol } = exchange.upgrade;
  const headers = forwardedHeaders(exchange);
  // A WebSocket over HTTP/2 has no key.
  if (protocol === 'websocket' && !needsKey) headers['sec-websocket-key'] = randomBytes(16).toString('base64');
  const upgrade = protocol === 'websocket' ? 'websocket' : 'SPDY/3.1';
  const { head: response, socket } = await switchKubelet(request, { method: exchange.method, headers, upgrade });
  if (socket === undefined) return passRefusal(request, response);
  const received = receivedHeaders(response.rawHeaders);
  if (!needsKey) delete received['sec-websocket-accept'];
  await relay(exchange.upgrade.accept(received), socket, { idleTimeoutMs, signal });
}
