/**
 * HTTP/2 (RFC 9113) with header compression (RFC 7541): frames, streams and flow control. On the server's side of a connection
 * also the bounds of what a client may cost. It knows nothing of what requests mean: the listener makes exchanges of streams,
 * and decides about time.
 */
export { BodyStream } from './body-stream.ts';
export { ClientConnection } from './client-connection.ts';
export type { ClientStream, ResponseReader } from './client-stream.ts';
export { Http2Connection } from './connection.ts';
export { literalBlock } from './literal-block.ts';
export { type ErrorCode, errorCodes } from './protocol.ts';
export type { BodyReader, Http2Stream, StreamOwner } from './stream.ts';
export { Tunnel } from './tunnel.ts';
