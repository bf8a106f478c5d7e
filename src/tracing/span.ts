export interface Span {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  /** Undefined for the root of a trace. */
  readonly parentId: Buffer | undefined;
  /** The value of the client's `tracestate` header. */
  readonly traceState: string;
  readonly name: string;
  readonly isServer: boolean;
  /** In milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
  /** Another span that caused this one, without being its parent. */
  readonly link: { readonly traceId: Buffer; readonly spanId: Buffer } | undefined;
}
