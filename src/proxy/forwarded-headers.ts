import { isTokenProtocol } from '../authn/index.ts';
import type { Exchange, ResponseHeaders } from '../http/exchange.ts';

/** Headers that concern one connection only. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Credentials for this server, and claims about the user that only a proxy may make. */
const isPrivate = (name: string): boolean =>
  name === 'authorization' || name.startsWith('impersonate-') || name.startsWith('x-remote-');

/** The request headers that are sent to the backend, with lower-case names. */
export function forwardedHeaders(exchange: Exchange): Record<string, string | string[]> {
  const { rawHeaders } = exchange;
  const named = namedByConnection(exchange.header('connection'));
  const headers: Record<string, string | string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const isDropped =
      name.startsWith(':') ||
      name === 'host' ||
      name === 'expect' ||
      name === 'http2-settings' ||
      hopByHop.has(name) ||
      named.has(name) ||
      isPrivate(name);
    if (!isDropped) add(headers, name, rawHeaders[i + 1]!);
  }
  const before = headers['x-forwarded-for'];
  const client = exchange.connection.remoteAddress;
  headers['x-forwarded-for'] = before === undefined ? client : `${[before].flat().join(', ')}, ${client}`;
  const protocols = headers['sec-websocket-protocol'];
  if (protocols === undefined) return headers;
  const { 'sec-websocket-protocol': _, ...others } = headers;
  const kept = webSocketProtocols([protocols].flat().join(','));
  return kept === '' ? others : { ...others, 'sec-websocket-protocol': kept };
}

/** Headers that a response has at most once. */
const single = new Set([
  'age',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'x-content-type-options',
]);

/** The headers of a response that the client gets, with lower-case names. */
export function receivedHeaders(rawHeaders: readonly string[]): ResponseHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) add(headers, rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!);
  return endToEndHeaders(headers);
}

/** Like `receivedHeaders`, of headers whose names are in lower case. */
export function endToEndHeaders(received: Readonly<Record<string, string | string[] | undefined>>): ResponseHeaders {
  const named = namedByConnection(received.connection?.toString());
  const headers: ResponseHeaders = {};
  for (const name in received) {
    if (hopByHop.has(name) || named.has(name)) continue;
    const value = received[name]!;
    headers[name] = Array.isArray(value) && single.has(name) ? value[0]! : value;
  }
  return headers;
}

/** Browsers can send a token only as the name of a subprotocol. */
function webSocketProtocols(offered: string): string {
  const names = offered.split(',').map((name) => name.trim());
  return names.filter((name) => !isTokenProtocol(name)).join(', ');
}

function namedByConnection(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === '') return none;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

const none: ReadonlySet<string> = new Set();

function add(headers: Record<string, string | string[]>, name: string, value: string): void {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  // HTTP/2 clients may split this header, but HTTP/1.1 does not allow it.
  else headers[name] = name === 'cookie' ? `${before}; ${value}` : [before, value].flat();
}
