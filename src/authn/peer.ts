import type { X509Certificate } from 'node:crypto';
import type { UserInfo } from '../meta/user.ts';

/** The other end of a connection: what all requests that arrive on it share. */
export interface Peer {
  /** An IPv4 address is written as such also where the socket is an IPv6 one. */
  readonly remoteAddress: string;
  /** The certificate that the client presented; whether it is trusted is not said here. */
  readonly clientCertificate: X509Certificate | undefined;
  /** True when there is a client certificate and its chain leads to a CA that the listener trusts. */
  readonly clientCertificateTrusted: boolean;
  /** The user that an authenticator derived from the connection itself, kept for the next requests. */
  user: UserInfo | undefined;
  /** When `user` stops being valid, in milliseconds since 1970. Absent: as long as the connection lives. */
  userExpiresAt?: number;
  /** Of the CAs that were trusted when `user` was found. Absent: nobody had to be trusted. */
  userGeneration?: number;
  readonly secure: boolean;
}
