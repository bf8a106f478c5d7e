/**
 * HTTP/2 (RFC 9113) with header compression (RFC 7541) on the server's side of a connection: frames, streams, flow
 * control, and the bounds of what a client may cost. It knows nothing of what requests mean: the listener makes exchanges
 * of streams, and decides about time.
 */
export { BodyStream } from './body-stream.ts';
export { Http2Connection } from './connection.ts';
export { errorCodes } from './protocol.ts';
export type { BodyReader, Http2Stream, StreamOwner } from './stream.ts';
export { Tunnel } from './tunnel.ts';
