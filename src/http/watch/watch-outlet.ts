import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent, WatchStream } from '../../registry/index.ts';
import type { Bookmark } from '../representations/representation.ts';

/** Where one watch goes: first its backlog, at the pace of the reader, then what has been sent meanwhile and later. */
export interface WatchOutlet {
  /** Rejects when the backlog cannot be read. Stops when the stream ends. */
  writeBacklog(backlog: WatchStream['backlog']): Promise<void>;
  /** The backlog is complete, but for a last bookmark if there is one. */
  goLive(last?: Bookmark): void;
  /** The event is shared with other watches. */
  send(event: WatchEvent): void;
  sendBookmark(bookmark: Bookmark): void;
  /** Ends the stream after what waits, and after the reason if there is one. Idempotent. */
  end(reason?: Status): void;
}

export interface WatchOutletOptions {
  /** Called once, when nothing more will be written, whoever ended it. */
  readonly onEnd: () => void;
}
