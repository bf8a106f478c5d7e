import type { ConnectionOptions } from 'node:tls';
import type { IsAllowedAddress } from './allowed-address.ts';

/** The target of a request to the subresource `proxy` of an object. */
export interface ProxyLocation {
  readonly protocol: 'http:' | 'https:';
  readonly host: string;
  readonly port: number;
  readonly tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;
  readonly connectTimeoutMs: number;
}

/** An object and how to connect to it, as clients name them together: `[scheme:]name[:port]`. */
export interface ProxiedName {
  /** The scheme of the protocol. Empty when it is not given. */
  readonly scheme: string;
  readonly name: string;
  /** A number or, for services, a name. Empty when it is not given. */
  readonly port: string;
}

/** The rule for addresses from objects that users may write. */
export interface LocationRules {
  readonly isAllowed: IsAllowedAddress;
}

/** How long Kubernetes waits for a connection to a pod. */
const connectTimeoutMs = 30_000;

const schemes = new Set(['', 'http', 'https']);

/** Undefined when the name is malformed. */
export function parseProxiedName(text: string): ProxiedName | undefined {
  const segments = text.split(':');
  const [scheme, name, port] = segments.length > 2 ? segments : ['', ...segments];
  if (segments.length > 3 || !name || !schemes.has(scheme!)) return undefined;
  return { scheme: scheme!, name, port: port ?? '' };
}

/** Returns undefined for a text that is not a port number. */
export function portNumber(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}

/**
 * A location with an IP address. Certificates are not verified: those of pods are rarely made for their IP addresses,
 * and their CA is not known.
 */
export function locationAt(
  scheme: string,
  { host, port, serverName = '' }: { host: string; port: number | undefined; serverName?: string },
): ProxyLocation {
  const isSecure = scheme === 'https';
  return {
    protocol: isSecure ? 'https:' : 'http:',
    host,
    port: port ?? (isSecure ? 443 : 80),
    tls: { rejectUnauthorized: false, servername: serverName },
    connectTimeoutMs,
  };
}
