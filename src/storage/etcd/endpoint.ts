import { isIP } from 'node:net';

/** Where a member of the cluster listens for clients. */
export interface Endpoint {
  /** In the form that gRPC resolves. */
  readonly target: string;
  readonly tls: boolean;
  /** The address that its certificate must have, if it is an IP address. */
  readonly ip?: string | undefined;
}

/**
 * Reads an endpoint in the form of `--etcd-servers`: `http`, `https`, `unix` or `unixs` with a host and port or a path.
 * Throws a RangeError for anything else.
 */
export function parseEndpoint(text: string): Endpoint {
  const [, scheme, rest] = /^(https?|unixs?):\/\/(.+)$/.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) throw invalid(text);
  const tls = scheme.endsWith('s');
  if (scheme.startsWith('unix')) return { target: `unix:${rest}`, tls };
  const { hostname, port, pathname, search, hash, username, password } = urlOf(text);
  if (hostname === '' || pathname !== '/' || search + hash + username + password !== '') throw invalid(text);
  const target = `dns:${hostname}:${port || (tls ? 443 : 80)}`;
  const ip = hostname.replace(/^\[|\]$/g, '');
  return tls && isIP(ip) !== 0 ? { target, tls, ip } : { target, tls };
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
