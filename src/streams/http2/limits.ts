import type { TokenBucketOptions } from './token-bucket.ts';

/** The resource limits of one connection. docs/architecture.md lists them. */

/** The flow-control window of a stream, which limits unread data. Nearly all bodies fit. */
export const streamWindow = 256 * 1024;
/**
 * Bytes that are collected for the next socket write while the previous one is sent. Further data waits in its streams.
 * A group of a list fits in one batch: a short write after each long one makes lists a tenth slower.
 */
export const maxBatch = 384 * 1024;
/** When this many bytes are pending, no further input is read. Only frames without flow control can exceed it. */
export const maxOutput = 1024 * 1024;
/** The size of data frames for clients that permit larger ones than they must. */
export const maxDataFrame = 64 * 1024;
/**
 * The maximum compressed size of a header block, as a multiple of the maximum size of its fields. A larger block closes
 * the connection.
 */
export const maxBlockRatio = 4;
/** The maximum number of frames of one header block. Full frames never need that many. */
export const maxBlockFrames = 32;
/** The maximum number of settings in one frame. */
export const maxSettings = 32;
/** Limits the streams that the client resets, or that must be reset because of its frames. */
export const resetRate: TokenBucketOptions = { burst: 1000, perSecond: 33 };
/** Limits frames that are cheap to send, expensive to process, and not part of a request. */
export const controlFrameRate: TokenBucketOptions = { burst: 2000, perSecond: 100 };
/**
 * The numbers of control frames that a client may send in addition: per request and per data frame, and one per this
 * number of bytes. Some clients update two windows for each frame.
 */
export const controlFramesPerRequest = 4;
export const controlFramesPerDataFrame = 3;
export const bytesPerControlFrame = 1024;
/** The number of closed streams that are kept, to distinguish late frames from invalid ones. */
export const maxClosedStreams = 128;
