/** How to reach a server and be known there. PEM texts. */
export interface ServerAccess {
  readonly url: URL;
  /** Without it the CAs that the runtime knows are trusted. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** Read again from time to time; counts more than `token`. */
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  /** Whoever answers at the address is taken for the server. */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name that the server's certificate must be for, where it is not that of the address. */
  readonly tlsServerName?: string;
}
