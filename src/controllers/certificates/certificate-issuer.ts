/** Issues certificates for certificate requests. */
export interface CertificateIssuer {
  /** Resolves with a certificate (PEM). Rejects when it cannot be issued now or the request is malformed. */
  sign(request: IssueRequest): Promise<string>;
}

export interface IssueRequest {
  /** Base64 of PEM, as in the CertificateSigningRequest. */
  readonly request: string;
  /** API names of usages: `client auth`, `digital signature`, ... */
  readonly usages: readonly string[];
  /** The requested lifetime. Default: the maximum of the issuer. */
  readonly expirationSeconds?: number | undefined;
}

/**
 * Parses the identity in a request (base64 of PEM). Throws when the request is malformed or its signature does not
 * match its key; a retry does not help.
 */
export type IdentityReader = (request: string) => RequestedIdentity;

export interface RequestedIdentity {
  /** Empty when there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The kinds of names that occur. */
  readonly alternativeNames: ReadonlySet<'dns' | 'email' | 'ip' | 'uri'>;
}
