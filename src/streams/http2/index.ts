/**
 * HTTP/2 (RFC 9113) with header compression (RFC 7541): frames, streams and flow control. The server side also limits
 * the resources that a client can use. This folder does not interpret requests: the listener turns streams into
 * exchanges and handles timeouts.
 */
export { BodyStream } from './body-stream.ts';
export { ClientConnection } from './client-connection.ts';
export type { ClientStream, ResponseReader } from './client-stream.ts';
export { Http2Connection } from './connection.ts';
export { literalBlock } from './literal-block.ts';
export { type ErrorCode, errorCodes } from './protocol.ts';
export type { BodyReader, Http2Stream, StreamOwner } from './stream.ts';
export { Tunnel } from './tunnel.ts';
