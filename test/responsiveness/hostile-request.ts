/** A request of one client that must not delay other clients. */
export interface HostileRequest {
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => string | Buffer;
  /** Objects that must exist before, with the path for creating them. */
  readonly given?: readonly { readonly path: string; readonly body: () => string }[];
}
