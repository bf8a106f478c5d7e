import type { X509Certificate } from 'node:crypto';
import type { UserInfo } from '../meta/user.ts';
import type { Validity } from './certificate-authorities.ts';

/** The remote end of a connection, shared by all requests on it. */
export interface Peer {
  /** IPv4-mapped IPv6 addresses are in IPv4 notation. */
  readonly remoteAddress: string;
  /** The certificate that the client presented, trusted or not. */
  readonly clientCertificate: X509Certificate | undefined;
  /** True when there is a client certificate and its chain leads to a CA that the listener trusts. */
  readonly clientCertificateTrusted: boolean;
  /** The user that an authenticator derived from the connection, cached for later requests. */
  user: UserInfo | undefined;
  /** When `user` is valid. Absent: as long as the connection. */
  userValidity?: Validity;
  /** Generation of the trusted CAs when `user` was determined. Absent: `user` does not depend on a CA. */
  userGeneration?: number;
  readonly secure: boolean;
}
