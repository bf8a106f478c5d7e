/** How long the listener waits for a client, in milliseconds. */
export interface ListenerTimeouts {
  /** For the TLS handshake. */
  readonly handshake: number;
  /** For the headers of a request, from their first byte or from the start of the connection. */
  readonly headers: number;
  /** For a whole request with its body. */
  readonly request: number;
  /** For the next request on an idle connection. */
  readonly idle: number;
  /** For a client that neither reads nor sends while the listener drains. */
  readonly stall: number;
}

export const defaultTimeouts: ListenerTimeouts = {
  handshake: 10_000,
  headers: 32_000,
  request: 60_000,
  // Longer than the idle timeouts of common clients, so that the client closes first.
  idle: 190_000,
  stall: 2_000,
};
