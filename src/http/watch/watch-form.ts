import type { WatchEvent } from '../../registry/index.ts';
import type { Bookmark } from '../table/representation.ts';
import { bookmarkFrame, jsonChunks, jsonFrame } from './watch-frames.ts';

/** How the events of one stream are written. */
export interface WatchForm {
  /** The frames of the backlog, in pieces that can be sent at once. */
  chunks(events: readonly WatchEvent[]): Iterable<Buffer>;
  /** The frame of one event of the backlog. */
  frame(event: WatchEvent): Buffer;
  /** The frame of an event behind the backlog. It may be asked for before the backlog has been written. */
  liveFrame(event: WatchEvent): Buffer;
  bookmark(bookmark: Bookmark): Buffer;
  /** The backlog has been written. */
  goLive(): void;
}

/** The objects as they are. All streams of this form share their frames. */
export const plainForm: WatchForm = {
  chunks: jsonChunks,
  frame: jsonFrame,
  liveFrame: (event) => event.framed(jsonFrame),
  bookmark: bookmarkFrame,
  goLive() {},
};
