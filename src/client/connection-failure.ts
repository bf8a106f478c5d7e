import { isIP } from 'node:net';

/** The texts of Go for errors of Node's sockets. */

const connectTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EADDRNOTAVAIL: 'cannot assign requested address',
};
const lookupTexts: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'server misbehaving',
};
const x509Texts: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate signed by unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate signed by unknown authority',
  CERT_SIGNATURE_FAILURE: 'certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'certificate has expired or is not yet valid',
  INVALID_PURPOSE: 'certificate specifies an incompatible key usage',
};
const streamTexts: Readonly<Record<string, string>> = {
  ECONNRESET: 'read: connection reset by peer',
  EPIPE: 'write: broken pipe',
  EPROTO: 'http: server gave HTTP response to HTTPS client',
  ERR_SSL_WRONG_VERSION_NUMBER: 'http: server gave HTTP response to HTTPS client',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'http: server gave HTTP response to HTTPS client',
};

/** Besides those of Node's HTTP parser. */
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'UNEXPECTED_RESPONSE']);

interface SocketError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  /** The host of a certificate that does not match. */
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
  /** The reason given by OpenSSL. */
  readonly reason?: string;
}

/** Returns why there was no response. An unknown error keeps its own message. */
export function connectionFailure(error: Error): string {
  const failure = firstOf(error);
  const { code = '', message, syscall, reason = '' } = failure;
  if (syscall === 'connect') return `dial tcp ${addressOf(failure)}: connect: ${connectTexts[code] ?? message}`;
  if (syscall === 'getaddrinfo') return `dial tcp: lookup ${failure.hostname}: ${lookupTexts[code] ?? message}`;
  const x509 = code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? nameMismatch(failure) : x509Texts[code];
  if (x509 !== undefined) return `tls: failed to verify certificate: x509: ${x509}`;
  const alert = /\balert (.+)$/.exec(reason)?.[1];
  if (alert !== undefined) return `remote error: tls: ${alert}`;
  if (isClosed(failure)) return 'EOF';
  if (code.startsWith('HPE_')) return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
  return streamTexts[code] ?? (message || code);
}

/** Returns why a response broke off. Undefined for any other failure. */
export function readingFailure({ message }: Error): string | undefined {
  if (message !== 'aborted') return undefined;
  return 'unexpected error when reading response body. Please retry. Original error: unexpected EOF';
}

/** Whether the connection was established and then failed. */
export function isAfterConnect(error: Error): boolean {
  const { code = '', syscall } = error as SocketError;
  return syscall !== 'connect' && (brokenCodes.has(code) || code.startsWith('HPE_'));
}

/** A host with several addresses has an error for each. */
function firstOf(error: Error): SocketError {
  return error instanceof AggregateError ? ((error.errors[0] as SocketError | undefined) ?? error) : error;
}

/** Node has no code for a connection that the server closed before its response, or during the TLS handshake. */
function isClosed({ message }: SocketError): boolean {
  return message === 'socket hang up' || message.startsWith('Client network socket disconnected');
}

function addressOf({ address = '', port = 0 }: SocketError): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Go shows either the DNS names or the IP addresses of a certificate, depending on the kind of the requested host. */
function nameMismatch({ host = '', cert }: SocketError): string {
  const names = (cert?.subjectaltname ?? '').split(', ').filter((name) => name !== '');
  const isAddress = isIP(host) !== 0;
  const prefix = isAddress ? 'IP Address:' : 'DNS:';
  const same = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  if (same.length > 0) return `certificate is valid for ${same.join(', ')}, not ${host}`;
  if (isAddress) return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  return `certificate is not valid for any names, but wanted to match ${host}`;
}
