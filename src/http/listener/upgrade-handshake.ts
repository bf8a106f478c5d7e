import type { IncomingMessage, ServerResponse as Response } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ResponseHeaders } from '../exchange.ts';
import { announcesBody } from './collect-body.ts';
import type { Upgrade } from './decline-upgrade.ts';
import { ServerResponse } from './node-http.ts';
import type { Sink } from './sink-stream.ts';
import { SocketSink } from './socket-sink.ts';

export type UpgradeProtocol = 'websocket' | 'spdy/3.1';

/**
 * The protocol of an upgrade request, if the server supports it. A request with a body is not a handshake, and the
 * offer of an unknown protocol is ignored.
 */
export function requestedProtocol({ method, httpVersion, headers }: IncomingMessage): UpgradeProtocol | undefined {
  if (httpVersion !== '1.1' || headers.host === undefined || announcesBody(headers)) return undefined;
  const protocol = headers.upgrade?.toLowerCase();
  if (protocol === 'websocket' && method === 'GET') return protocol;
  return protocol === 'spdy/3.1' && (method === 'GET' || method === 'POST') ? protocol : undefined;
}

/**
 * A request for another protocol after Node has detached its connection. Until it is accepted, the request can be
 * answered through `response` like any other. The connection ends with that response.
 */
export class UpgradeHandshake {
  readonly protocol: UpgradeProtocol;
  /** Closes together with the socket, for any response. */
  readonly response: Response;
  /** The sink of a streamed response. The response itself gets no drain events of the socket. */
  readonly responseSink: Sink;
  readonly #upgrade: Upgrade & { readonly socket: TLSSocket };

  constructor(protocol: UpgradeProtocol, upgrade: Upgrade & { readonly socket: TLSSocket }) {
    const { request, socket, head } = upgrade;
    const response = new ServerResponse(request);
    this.protocol = protocol;
    this.response = response;
    this.#upgrade = upgrade;
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    this.responseSink = new SocketSink(socket, {
      isClosed: () => response.closed,
      write: (chunk) => response.write(chunk),
      end: () => response.end(),
    });
    // Later bytes also wait in the socket, which keeps reading into its buffer and so notices a disconnect.
    if (head.length > 0) socket.unshift(head);
  }

  /** Switches the protocol. The caller owns the returned socket. */
  accept(headers: ResponseHeaders): TLSSocket {
    const { request, socket } = this.#upgrade;
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      `Upgrade: ${request.headers.upgrade}`,
      'Connection: Upgrade',
      ...Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`)),
    ];
    if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    return socket;
  }
}
