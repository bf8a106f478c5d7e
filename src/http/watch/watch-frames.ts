import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent } from '../../registry/index.ts';

const chunkSize = 64 * 1024;
const frameEnd = Buffer.from('}\n');
const frameStart = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};

/** One event as a line of JSON. */
export function jsonFrame({ type, document }: WatchEvent): Buffer {
  const start = frameStart[type];
  // The line feed of the document gives its place to the brace.
  const frame = Buffer.allocUnsafe(start.length + document.length + 1);
  start.copy(frame, 0);
  document.copy(frame, start.length);
  frameEnd.copy(frame, frame.length - frameEnd.length);
  return frame;
}

export function bookmarkFrame(object: object): Buffer {
  return Buffer.from(`{"type":"BOOKMARK","object":${JSON.stringify(object)}}\n`);
}

export function errorFrame(status: Status): Buffer {
  return Buffer.from(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`);
}

/** The frames of events that only one reader wants, in pieces of a size that can be sent at once. */
export function* jsonChunks(events: readonly WatchEvent[]): Generator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for (const { type, document } of events) {
    parts.push(frameStart[type], document.subarray(0, -1), frameEnd);
    size += frameStart[type].length + document.length - 1 + frameEnd.length;
    if (size < chunkSize) continue;
    yield Buffer.concat(parts, size);
    parts = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(parts, size);
}

let lastFrames: readonly Buffer[] = [];
let lastJoined = Buffer.alloc(0);

/** Frames in one piece. Watchers of the same objects ask for the same ones, one after the other, and share the copy. */
export function joinFrames(frames: readonly Buffer[]): Buffer {
  if (frames.length === 1) return frames[0]!;
  if (frames.length === lastFrames.length && frames.every((frame, index) => frame === lastFrames[index])) {
    return lastJoined;
  }
  lastFrames = frames;
  lastJoined = Buffer.concat(frames);
  return lastJoined;
}
