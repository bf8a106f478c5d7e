import { type Clock, maxTimerMs } from '../../meta/clock.ts';

const bookmarkInterval = 60_000;
/** A bookmark this long before the end, in milliseconds, lets the client resume where it was. */
const beforeEnd = 2000;
/** Timers may fire slightly early. The final bookmark must not be sent twice because of that. */
const earliness = 10;

export interface WatchScheduleOptions {
  readonly seconds: number;
  /** Undefined when the client wants no bookmarks. */
  readonly onBookmark: (() => void) | undefined;
  readonly onEnd: () => void;
  readonly clock: Clock;
}

/** Schedules the bookmarks and the end of a watch. */
export class WatchSchedule {
  readonly #options: WatchScheduleOptions;
  readonly #end: number;
  #cancel: () => void;

  constructor(options: WatchScheduleOptions) {
    this.#options = options;
    // Very long watches end a little early, which clients must expect.
    this.#end = this.#options.clock.monotonic() + Math.min(options.seconds * 1000, maxTimerMs);
    this.#cancel = this.#arm();
  }

  stop(): void {
    this.#cancel();
  }

  #arm(): () => void {
    const left = this.#end - this.#options.clock.monotonic();
    const bookmark = this.#options.onBookmark && nextBookmark(left);
    const turn = (): void => {
      if (bookmark === undefined || bookmark >= left) {
        this.#options.onEnd();
      } else {
        this.#cancel = this.#arm();
        this.#options.onBookmark!();
      }
    };
    // Rounded to whole milliseconds, because Node keeps timers of equal duration in one list.
    return this.#options.clock.schedule(turn, Math.max(1, Math.ceil(Math.min(left, bookmark ?? left))));
  }
}

function nextBookmark(left: number): number {
  return left > beforeEnd + earliness ? Math.min(bookmarkInterval, left - beforeEnd) : bookmarkInterval;
}
