import type { Encoder } from '../../codec/encoders/index.ts';
import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent } from '../../registry/index.ts';
import type { Bookmark } from '../representations/representation.ts';

/** Encodes the events of one stream. */
export interface WatchFormat {
  /** The frames of backlog events, joined to chunks of a good size for a write. */
  chunks(events: readonly WatchEvent[]): Iterable<Buffer>;
  /** The frame of one event of the backlog. */
  frame(event: WatchEvent): Buffer;
  /** The frame of a live event. May be requested before the backlog has been written. */
  liveFrame(event: WatchEvent): Buffer;
  bookmark(bookmark: Bookmark): Buffer;
  /** The last frame of a stream that fails. Errors are never converted. */
  error(status: Status): Buffer;
  /** Called when the backlog has been written. */
  goLive(): void;
}

/** Wraps the bytes of an object in a frame. */
export type Framing = Encoder['frame'];
