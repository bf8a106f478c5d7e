/** The numbers of HTTP/2 (RFC 9113). */

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flags = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export const errorCodes = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const;

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

export const settings = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
  enableConnectProtocol: 8,
} as const;

export const frameHeaderLength = 9;
/** The maximum size of frames until settings change it. This server never raises its own limit. */
export const defaultMaxFrameSize = 16_384;
export const maxFrameSizeLimit = 2 ** 24 - 1;
export const defaultWindow = 65_535;
export const maxWindow = 2 ** 31 - 1;
/** The highest identifier that a stream can have. */
export const maxStreamId = 2 ** 31 - 1;
export const clientPreface: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
