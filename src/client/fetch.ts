/** One request to an API server and its answer: over the network or within the process. */
export type Fetch = (request: ApiRequest) => Promise<ApiResponse>;

export interface ApiRequest {
  readonly method: string;
  /** With the query, percent-encoded. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the exchange, also while the body is being read. */
  readonly signal?: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In the pieces in which it arrives. */
  readonly body: AsyncIterable<Uint8Array>;
}
