import { isIP } from 'node:net';

/** The address at which a member of the cluster listens for clients. */
export interface Endpoint {
  /** The name for messages. */
  readonly target: string;
  readonly tls: boolean;
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  /** The server name for the TLS handshake. An IP address must not be sent. */
  readonly name?: string;
}

/**
 * Reads an endpoint in the form of `--etcd-servers`: `http`, `https`, `unix` or `unixs` with a host and port or a path.
 * Throws a RangeError for anything else.
 */
export function parseEndpoint(text: string): Endpoint {
  const [, scheme, rest] = /^(https?|unixs?):\/\/(.+)$/.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) throw invalid(text);
  const tls = scheme.endsWith('s');
  if (scheme.startsWith('unix'))
    return { target: `unix:${rest}`, tls, address: { path: rest }, ...(tls && { name: 'localhost' }) };
  const { hostname, port, pathname, search, hash, username, password } = urlOf(text);
  if (hostname === '' || pathname !== '/' || search + hash + username + password !== '') throw invalid(text);
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: Number(port || (tls ? 443 : 80)) };
  const target = `${hostname}:${address.port}`;
  return { target, tls, address, ...(tls && isIP(host) === 0 && { name: host }) };
}

function urlOf(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw invalid(text);
  }
}

function invalid(text: string): RangeError {
  return new RangeError(
    `not an etcd endpoint: ${JSON.stringify(text)}: use http://HOST:PORT, https://HOST:PORT or unix://PATH`,
  );
}
