/**
 * The door: TLS sockets in, exchanges out. One port speaks HTTP/2 and HTTP/1.1; both arrive as the same `Exchange`. Time
 * limits, flow control, malformed input and the graceful end of connections are settled here. What a request means, who
 * may make it and how errors look is decided by whoever is given the exchanges.
 */
export { ciphersOf } from './ciphers.ts';
export { type DrainOptions, type Listener, type ListenerOptions, startListener, type TlsMaterial } from './listener.ts';
export type { ListenerTimeouts } from './timeouts.ts';
