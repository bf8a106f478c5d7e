import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent, WatchStream } from '../../registry/index.ts';
import type { Bookmark } from '../representations/representation.ts';

/** The output of one watch: first the backlog, at the reader's pace, then the events sent meanwhile and later. */
export interface WatchOutput {
  /** Rejects when the backlog cannot be read. Stops when the stream ends. */
  writeBacklog(backlog: WatchStream['backlog']): Promise<void>;
  /** Ends the backlog, after a last bookmark if there is one. */
  goLive(last?: Bookmark): void;
  /** The event is shared with other watches. */
  send(event: WatchEvent): void;
  sendBookmark(bookmark: Bookmark): void;
  /** Whether something waits to be sent. Absent: no. */
  readonly isBehind?: boolean;
  /** Ends the stream after pending events and, if given, an ERROR event with the reason. Idempotent. */
  end(reason?: Status): void;
}

export interface WatchOutputOptions {
  /** Called once, when nothing more will be written, regardless of which side ended the stream. */
  readonly onEnd: () => void;
}
