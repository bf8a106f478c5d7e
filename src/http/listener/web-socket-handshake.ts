import type { IncomingMessage, ServerResponse as Response } from 'node:http';
import { createRequire } from 'node:module';
import type { TLSSocket } from 'node:tls';
import type { ServerOptions, WebSocket } from 'ws';
import { isTokenProtocol } from '../../authn/index.ts';
import { announcesBody } from './collect-body.ts';
import type { Upgrade } from './decline-upgrade.ts';
import { ServerResponse } from './node-http.ts';
import type { Sink } from './sink-stream.ts';
import { SocketSink } from './socket-sink.ts';

const require = createRequire(import.meta.url);
const nothing = Buffer.alloc(0);
const normalClosure = 1000;

const serverOptions: ServerOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  // The library would queue pongs without limit for a client that does not read.
  autoPong: false,
  // Messages of clients are dropped. This limits the buffer for an incomplete one.
  maxPayload: 64 * 1024,
  // The first one, which the library would choose too, but never one that carries a token.
  handleProtocols: (protocols) => protocols.values().find((protocol) => !isTokenProtocol(protocol)) ?? false,
};

export interface WebSocketHandshakeOptions extends Upgrade {
  readonly socket: TLSSocket;
  /** How long the client may take to confirm the end, in milliseconds. */
  readonly endTimeout: number;
}

export type HandshakeOutcome = { readonly sink: Sink } | { readonly refusal: string };

/** Whether an upgrade request is for a WebSocket. A request with a body is not a handshake. */
export function asksForWebSocket({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.host !== undefined &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    !announcesBody(headers)
  );
}

/**
 * A request for a WebSocket after Node has detached its connection. Until it is completed, the request can be answered
 * through `response` like any other. The connection ends with that response.
 */
export class WebSocketHandshake {
  /** Closes together with the socket, however the request is answered. */
  readonly response: Response;
  /** For a streamed response: the response itself gets no drain events of the socket. */
  readonly answerSink: Sink;
  readonly #options: WebSocketHandshakeOptions;

  constructor(options: WebSocketHandshakeOptions) {
    const { request, socket, head } = options;
    const response = new ServerResponse(request);
    this.response = response;
    this.#options = options;
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    this.answerSink = new SocketSink(socket, {
      isClosed: () => response.closed,
      write: (chunk) => response.write(chunk),
      end: () => response.end(),
    });
    // Later bytes also wait in the socket, which keeps reading into its buffer and so notices a disconnect.
    if (head.length > 0) socket.unshift(head);
  }

  /** Switches the protocol. After a refusal the request still needs a response. */
  complete({ binary }: { readonly binary: boolean }): HandshakeOutcome {
    const { request, socket, endTimeout } = this.#options;
    // Loaded on demand: most servers never see a WebSocket.
    const { WebSocketServer } = require('ws') as typeof import('ws');
    // The library's types lack the last option.
    const options = { ...serverOptions, closeTimeout: endTimeout };
    const server = new WebSocketServer(options);
    let outcome: HandshakeOutcome = { refusal: 'the connection is closed' };
    server.once('wsClientError', (error) => {
      outcome = { refusal: error.message };
    });
    server.handleUpgrade(request, socket, nothing, (webSocket) => {
      // It closes itself and the socket. Nothing else is to be done.
      webSocket.on('error', () => {});
      answerPings(webSocket, socket);
      outcome = {
        sink: new SocketSink(socket, {
          isClosed: () => webSocket.readyState !== webSocket.OPEN,
          write: (chunk) => webSocket.send(chunk, { binary }),
          end: () => webSocket.close(normalClosure),
        }),
      };
    });
    return outcome;
  }
}

/** For a slow client only the latest ping is answered, which the protocol permits. */
function answerPings(webSocket: WebSocket, socket: TLSSocket): void {
  let latest: Buffer | undefined;
  const answer = (): void => {
    if (latest !== undefined && webSocket.readyState === webSocket.OPEN) webSocket.pong(latest);
    latest = undefined;
  };
  webSocket.on('ping', (data) => {
    const waits = latest !== undefined;
    latest = data;
    if (!socket.writableNeedDrain) answer();
    else if (!waits) socket.once('drain', answer);
  });
}
