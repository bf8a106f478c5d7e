/** The address of a server and the credentials for it. Certificates and keys are PEM. */
export interface ServerAccess {
  readonly url: URL;
  /** Default: the CAs that Node.js trusts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** Read again periodically. Takes precedence over `token`. */
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  /** Accepts any server certificate. */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name in the server's certificate, if it differs from that in the URL. */
  readonly tlsServerName?: string;
}
