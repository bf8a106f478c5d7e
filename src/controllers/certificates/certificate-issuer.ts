/** Makes certificates of requests for them. */
export interface CertificateIssuer {
  /** Resolves with a certificate in PEM form. Rejects when it cannot be made now, or when the request cannot be read. */
  sign(request: IssueRequest): Promise<string>;
}

export interface IssueRequest {
  /** As in its object: base64 of PEM. */
  readonly request: string;
  /** In the words of the API: `client auth`, `digital signature`, ... */
  readonly usages: readonly string[];
  /** How long the certificate is wanted for. Absent: as long as the issuer gives. */
  readonly expirationSeconds?: number | undefined;
}

/**
 * Reads whom a request is for, as base64 of PEM. Throws when it is malformed or does not prove that its key is its own; trying again
 * does not help.
 */
export type IdentityReader = (request: string) => RequestedIdentity;

export interface RequestedIdentity {
  /** Empty when there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The kinds of them that there are. */
  readonly alternativeNames: ReadonlySet<'dns' | 'email' | 'ip' | 'uri'>;
}
