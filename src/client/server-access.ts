/** The credentials of a client. Certificates and keys are PEM. */
export interface ClientCredentials {
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** Read again periodically. Takes precedence over `token`. */
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
}

/** The address of a server and the credentials for it. */
export interface ServerAccess extends ClientCredentials {
  readonly url: URL;
  /** PEM. Default: the CAs that Node.js trusts. */
  readonly ca?: string;
  /** Accepts any server certificate. */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name in the server's certificate, if it differs from that in the URL. */
  readonly tlsServerName?: string;
}
