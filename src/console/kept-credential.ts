import type { X509Certificate } from 'node:crypto';
import { type Credentials, certificateChain, headerValues, type Peer, withIssuers } from '../authn/index.ts';

/**
 * What identified the user at the sign-in. A session is worth as much as its credential, so this is authenticated again
 * for every request. It is kept in memory only, and passed between threads.
 */
export interface KeptCredential {
  /** The address of the client, for the log of refusals. */
  readonly remoteAddress: string;
  /** The headers that identify users, names and values alternating. */
  readonly headers: readonly string[];
  /** The certificate of the client and its issuers. */
  readonly certificates: readonly X509Certificate[];
  readonly certificateTrusted: boolean;
}

/** Tells the headers that identify users, by their names in lower case. */
export type IsIdentifying = (name: string) => boolean;

/** Returns undefined for a request that the server makes itself. */
export function keepCredential(
  { connection, rawHeaders }: Credentials,
  isIdentifying: IsIdentifying,
): KeptCredential | undefined {
  const { remoteAddress, clientCertificateTrusted: certificateTrusted } = connection;
  const certificates = certificateChain(connection);
  if (certificates.length === 0 && connection.user !== undefined) return undefined;
  const headers: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isIdentifying(rawHeaders[at]!.toLowerCase())) headers.push(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return { remoteAddress, headers, certificates, certificateTrusted };
}

/** The credential of a sign-in by a bearer token. */
export function keepToken(token: string, { remoteAddress }: Peer): KeptCredential {
  return { remoteAddress, headers: ['authorization', `Bearer ${token}`], certificates: [], certificateTrusted: false };
}

/** Keeps what authenticators have found out about a connection. */
const peers = new WeakMap<KeptCredential, Peer>();

/** A request that has nothing but the credential. */
export function credentialsOf(kept: KeptCredential): Credentials {
  let connection = peers.get(kept);
  if (connection === undefined) {
    connection = {
      remoteAddress: kept.remoteAddress,
      clientCertificate: withIssuers(kept.certificates),
      clientCertificateTrusted: kept.certificateTrusted,
      user: undefined,
      secure: true,
    };
    peers.set(kept, connection);
  }
  return {
    connection,
    rawHeaders: kept.headers,
    header: (name) => headerValues(kept.headers, name)[0],
    path: '/',
    warn: () => {},
    runAs: () => {},
  };
}
