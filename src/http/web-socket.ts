import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { isTokenProtocol } from '../authn/index.ts';
import type { Exchange, ResponseHeaders, ResponseStream } from './exchange.ts';
import { SinkStream } from './listener/sink-stream.ts';
import { SocketSink } from './listener/socket-sink.ts';

const require = createRequire(import.meta.url);
const nothing = Buffer.alloc(0);
const normalClosure = 1000;
const keySalt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
/** Tokens, and the slash of `SPDY/3.1+portforward.k8s.io`. */
const protocolPattern = /^[!#$%&'*+\-./^_`|~0-9A-Za-z]+$/;

/** The internal method of the library that attaches a WebSocket to a connection after its handshake. */
interface ServerSide {
  new (address: null, protocols: undefined, options: object): WebSocket & { setSocket(...values: unknown[]): void };
}

export interface WebSocketOptions {
  /** Chooses one of the protocols that the client offers. Undefined if none is acceptable. */
  readonly choose: (offered: readonly string[]) => string | undefined;
  /** The maximum size of a message of the client, in bytes. */
  readonly maxPayload: number;
  /** How long the client may take to confirm the end, in milliseconds. */
  readonly closeTimeoutMs?: number | undefined;
}

export interface AcceptedWebSocket {
  readonly webSocket: WebSocket;
  readonly protocol: string | undefined;
  /** The underlying connection, which applies backpressure. */
  readonly duplex: Duplex;
}

/** Whether the client requests a WebSocket. */
export function requestsWebSocket({ upgrade }: Exchange): boolean {
  return upgrade?.protocol === 'websocket';
}

/** Switches to a WebSocket. A handshake that cannot be accepted is answered with 400, and the result is undefined. */
export function acceptWebSocket(exchange: Exchange, options: WebSocketOptions): AcceptedWebSocket | undefined {
  const offered = offeredProtocols(exchange.header('sec-websocket-protocol'));
  const refusal = refusalOf(exchange, offered);
  if (refusal !== undefined) {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'sec-websocket-version': '13' };
    exchange.respond(400, headers, refusal);
    return undefined;
  }
  const protocol = options.choose(offered!.filter((one) => !isTokenProtocol(one)));
  const headers: ResponseHeaders = {};
  const key = exchange.header('sec-websocket-key');
  if (exchange.upgrade!.needsKey) headers['Sec-WebSocket-Accept'] = acceptanceOf(key!);
  if (protocol !== undefined) headers['Sec-WebSocket-Protocol'] = protocol;
  const duplex = exchange.upgrade!.accept(headers);
  return { webSocket: webSocketOn(duplex, options), protocol, duplex };
}

/**
 * Switches to a WebSocket on which only the server sends: every `write` to the stream is one message, and `end` closes
 * with code 1000. Messages of the client are ignored. When the client closes, so does the stream. A handshake that
 * cannot be accepted is rejected with 403 (no `Origin`) or 400, and the stream is closed from the beginning.
 */
export function webSocketStream(
  exchange: Exchange,
  { binary, closeTimeoutMs }: { readonly binary: boolean; readonly closeTimeoutMs?: number },
): ResponseStream {
  // Browsers always send this header. The cross-origin filter decides which origins are allowed.
  if (exchange.header('origin') === undefined) {
    exchange.respond(403, {}, '');
    return closedStream;
  }
  const accepted = acceptWebSocket(exchange, {
    choose: ([first]) => first,
    // Messages of clients are dropped. This limits the buffer for an incomplete one.
    maxPayload: 64 * 1024,
    closeTimeoutMs,
  });
  if (accepted === undefined) return closedStream;
  return messagesTo(accepted, { binary });
}

/** Every `write` to the stream is one message, and `end` closes with code 1000. */
export function messagesTo(
  { webSocket, duplex }: AcceptedWebSocket,
  { binary }: { readonly binary: boolean },
): ResponseStream {
  const sink = new SocketSink(duplex, {
    isClosed: () => webSocket.readyState !== webSocket.OPEN,
    write: (chunk) => webSocket.send(chunk, { binary }),
    end: () => webSocket.close(normalClosure),
  });
  return new SinkStream(sink, { omitsBody: false });
}

const closedStream: ResponseStream = {
  closed: true,
  pendingBytes: 0,
  write: () => true,
  drained: () => Promise.resolve(),
  end: () => {},
};

/** Undefined when the header is not a list of distinct tokens. */
function offeredProtocols(header: string | undefined): string[] | undefined {
  if (header === undefined) return [];
  const protocols = header.split(',').map((one) => one.trim());
  const isList = protocols.every((one) => protocolPattern.test(one)) && new Set(protocols).size === protocols.length;
  return isList ? protocols : undefined;
}

function refusalOf(exchange: Exchange, offered: readonly string[] | undefined): string | undefined {
  if (exchange.upgrade?.needsKey && !keyPattern.test(exchange.header('sec-websocket-key') ?? '')) {
    return 'Missing or invalid Sec-WebSocket-Key header';
  }
  const version = exchange.header('sec-websocket-version');
  if (version !== '13' && version !== '8') return 'Missing or invalid Sec-WebSocket-Version header';
  return offered === undefined ? 'Invalid Sec-WebSocket-Protocol header' : undefined;
}

function acceptanceOf(key: string): string {
  return createHash('sha1').update(key).update(keySalt).digest('base64');
}

function webSocketOn(duplex: Duplex, { maxPayload, closeTimeoutMs = 2_000 }: WebSocketOptions): WebSocket {
  // A client that has closed its side of the connection expects no response.
  if (!duplex.readable || !duplex.writable) duplex.destroy();
  // Loaded on demand: most servers never see a WebSocket.
  const { WebSocket: ServerWebSocket } = require('ws') as unknown as { WebSocket: ServerSide };
  // The library would queue pongs without limit for a client that does not read.
  const webSocket = new ServerWebSocket(null, undefined, { autoPong: false, closeTimeout: closeTimeoutMs });
  // The library closes the WebSocket and the connection. No further action is needed.
  webSocket.on('error', () => {});
  acknowledgePings(webSocket, duplex);
  webSocket.setSocket(duplex, nothing, { allowSynchronousEvents: true, maxPayload, skipUTF8Validation: false });
  return webSocket;
}

/** For a slow client only the latest ping is answered, which the protocol permits. */
function acknowledgePings(webSocket: WebSocket, duplex: Duplex): void {
  let latest: Buffer | undefined;
  const acknowledge = (): void => {
    if (latest !== undefined && webSocket.readyState === webSocket.OPEN) webSocket.pong(latest);
    latest = undefined;
  };
  webSocket.on('ping', (data) => {
    const waits = latest !== undefined;
    latest = data;
    if (!duplex.writableNeedDrain) acknowledge();
    else if (!waits) duplex.once('drain', acknowledge);
  });
}
