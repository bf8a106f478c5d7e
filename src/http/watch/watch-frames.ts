const chunkSize = 64 * 1024;

/** Joins frames of a single reader to chunks of a good size for a write. */
export function* chunked(frames: Iterable<Buffer>): Generator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for (const frame of frames) {
    pieces.push(frame);
    size += frame.length;
    if (size < chunkSize) continue;
    yield Buffer.concat(pieces, size);
    pieces = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pieces, size);
}

let lastFrames: readonly Buffer[] = [];
let lastJoined = Buffer.alloc(0);

/**
 * Joins frames to one buffer. Watchers of the same objects request the same frames one after the other, so they share
 * the last copy.
 */
export function joinFrames(frames: readonly Buffer[]): Buffer {
  if (frames.length === 1) return frames[0]!;
  if (frames.length === lastFrames.length && frames.every((frame, index) => frame === lastFrames[index])) {
    return lastJoined;
  }
  lastFrames = frames;
  lastJoined = Buffer.concat(frames);
  return lastJoined;
}
