/**
 * The listener accepts TLS connections and produces exchanges. One port speaks HTTP/2 and HTTP/1.1, and both yield the
 * same `Exchange`. Time limits, flow control, malformed input and the graceful shutdown of connections are handled
 * here. Routing, authentication, authorization and error responses are up to the receiver of the exchanges.
 */
export { ciphersOf } from './ciphers.ts';
export { incompleteBody } from './collect-body.ts';
export { exchangeEnded } from './exchange-signal.ts';
export { type DrainOptions, type Listener, type ListenerOptions, startListener, type TlsMaterial } from './listener.ts';
export type { ListenerTimeouts } from './timeouts.ts';
