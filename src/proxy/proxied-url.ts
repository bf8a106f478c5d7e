import { posix } from 'node:path';

/** The path for the backend, without `..` and empty segments. */
export function upstreamPath(path: string): string {
  return encodedPath(posix.normalize(`/${path}`));
}

const plainPath = /^[\w$&+,/:;=@.~-]*$/;

/** Percent-encodes everything that Go does in paths. */
function encodedPath(path: string): string {
  if (plainPath.test(path)) return path;
  return encodeURI(path.toWellFormed()).replace(
    /[?#!*'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Percent-encodes characters that a client should have encoded, so that they cannot end the request line. */
export function upstreamQuery(query: string): string {
  if (query === '') return '';
  return `?${query.replace(/[^!-~]/g, (char) => encodeURIComponent(char.toWellFormed()))}`;
}

export interface LinkRewriting {
  /** The path of the subresource up to `/proxy`. */
  readonly prefix: string;
  /** The `host:port` of the client's request. */
  readonly requestHost: string;
  /** The `host:port` of the backend. */
  readonly upstreamHost: string;
}

const urlPattern = /^(?:([a-z][a-z\d+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/is;

/**
 * Rewrites a link of a backend, such as a redirect, for clients of the proxy. Only absolute paths on the same server
 * are changed, not relative links or links to other servers.
 */
export function proxiedLink(link: string, { prefix, requestHost, upstreamHost }: LinkRewriting): string {
  const [, scheme, host = '', path = '', rest = ''] = urlPattern.exec(link) ?? [];
  if (!path.startsWith('/')) return link;
  if (host !== '' && host !== upstreamHost && host !== requestHost) return link;
  const origin = host !== '' && host === requestHost ? `${scheme === undefined ? '' : `${scheme}:`}//${host}` : '';
  const isProxied = path === prefix || path.startsWith(`${prefix}/`);
  return `${origin}${isProxied ? path : `${prefix}${posix.normalize(path)}`}${rest}`;
}
