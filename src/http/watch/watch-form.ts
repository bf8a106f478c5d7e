import type { Encoder } from '../../codec/encoders/index.ts';
import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent } from '../../registry/index.ts';
import type { Bookmark } from '../representations/representation.ts';

/** How the events of one stream are written. */
export interface WatchForm {
  /** The frames of the backlog, in pieces that can be sent at once. */
  chunks(events: readonly WatchEvent[]): Iterable<Buffer>;
  /** The frame of one event of the backlog. */
  frame(event: WatchEvent): Buffer;
  /** The frame of an event behind the backlog. It may be asked for before the backlog has been written. */
  liveFrame(event: WatchEvent): Buffer;
  bookmark(bookmark: Bookmark): Buffer;
  /** The last frame of a stream that cannot go on. Errors are never converted. */
  error(status: Status): Buffer;
  /** The backlog has been written. */
  goLive(): void;
}

/** Puts the bytes of an object into a frame. */
export type Framing = Encoder['frame'];
