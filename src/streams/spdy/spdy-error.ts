/** The peer violated the protocol, or the connection failed. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
}
