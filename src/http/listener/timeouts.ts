/** How long the listener waits for a client, in milliseconds. */
export interface ListenerTimeouts {
  /** The maximum duration of the TLS handshake. */
  readonly handshake: number;
  /**
   * The maximum time for the headers of a request, from their first byte or from the start of the connection. In HTTP/2
   * also for the preface, and for any frame other than data.
   */
  readonly headers: number;
  /** The maximum time for a whole request with its body. */
  readonly request: number;
  /** The maximum time until the next request on an idle connection. */
  readonly idle: number;
  /** The maximum time for a client that neither reads nor sends while the listener drains. */
  readonly stall: number;
}

export const defaultTimeouts: ListenerTimeouts = {
  handshake: 10_000,
  headers: 10_000,
  request: 60_000,
  // Longer than the idle timeouts of common clients, so that the client closes first.
  idle: 190_000,
  stall: 2_000,
};
