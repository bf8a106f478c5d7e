/** A request that one client makes and that must not hold up the others. */
export interface HostileRequest {
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => string | Buffer;
  /** Objects that must be there before, by the path at which they are created. */
  readonly given?: readonly { readonly path: string; readonly body: () => string }[];
}
