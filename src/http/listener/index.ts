/**
 * The listener accepts TLS connections and produces exchanges. One port speaks HTTP/2 and HTTP/1.1, and both yield the
 * same `Exchange`. Time limits, flow control, malformed input and the graceful shutdown of connections are handled
 * here. The receiver of the exchanges decides what a request means, who may make it, and how errors look.
 */
export { ciphersOf } from './ciphers.ts';
export { type DrainOptions, type Listener, type ListenerOptions, startListener, type TlsMaterial } from './listener.ts';
export type { ListenerTimeouts } from './timeouts.ts';
