import type { TokenBucketOptions } from './token-bucket.ts';

/** The resource limits of one connection. docs/architecture.md lists them. */

/** The flow-control window of a stream, which limits unread data. Nearly all bodies fit. */
export const streamWindow = 256 * 1024;
/**
 * Bytes that are collected for the next socket write while the previous one is sent. Further data waits in its streams.
 */
export const maxBatch = 256 * 1024;
/** When this many bytes are pending, no further input is read. Only frames without flow control can exceed it. */
export const maxOutput = 1024 * 1024;
/** The size of data frames for clients that permit larger ones than they must. */
export const maxDataFrame = 64 * 1024;
/** The compressed size of a header block, as a multiple of that of the fields. Beyond it, the connection is closed. */
export const maxBlockRatio = 4;
/** The frames of one header block. Full ones do not need that many. */
export const maxBlockFrames = 32;
/** The settings of one frame. */
export const maxSettings = 32;
/** Streams that the client resets, or that must be reset because of what it sent. */
export const resets: TokenBucketOptions = { burst: 1000, perSecond: 33 };
/** Frames that are cheap to send, expensive to process, and not part of a request. */
export const controls: TokenBucketOptions = { burst: 2000, perSecond: 100 };
/** A client earns further ones with a request, a frame of data and its bytes: some widen two windows for each frame. */
export const controlsPerRequest = 4;
export const controlsPerFrame = 3;
export const bytesPerControl = 1024;
/** The number of closed streams that are kept, to distinguish late frames from invalid ones. */
export const maxRememberedStreams = 128;
