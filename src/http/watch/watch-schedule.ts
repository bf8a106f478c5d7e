const bookmarkInterval = 60_000;
/** A bookmark this long before the end lets the client resume where it was. */
const beforeEnd = 2000;
/** Timers may fire slightly early. The final bookmark must not be sent twice because of that. */
const earliness = 10;
/** The maximum delay of a timer. A watch of weeks ends a little early, which clients expect. */
const maxTimerMs = 2 ** 31 - 1;

export interface WatchScheduleOptions {
  readonly seconds: number;
  /** Undefined when the client wants no bookmarks. */
  readonly onBookmark: (() => void) | undefined;
  readonly onEnd: () => void;
}

/** Schedules the bookmarks and the end of a watch. */
export class WatchSchedule {
  readonly #options: WatchScheduleOptions;
  readonly #end: number;
  #timer: NodeJS.Timeout;

  constructor(options: WatchScheduleOptions) {
    this.#options = options;
    this.#end = performance.now() + Math.min(options.seconds * 1000, maxTimerMs);
    this.#timer = this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(): NodeJS.Timeout {
    const left = this.#end - performance.now();
    const bookmark = this.#options.onBookmark && nextBookmark(left);
    const turn = (): void => {
      if (bookmark === undefined || bookmark >= left) {
        this.#options.onEnd();
      } else {
        this.#timer = this.#arm();
        this.#options.onBookmark!();
      }
    };
    // Whole milliseconds: Node keeps timers of equal duration in one list.
    return setTimeout(turn, Math.max(1, Math.ceil(Math.min(left, bookmark ?? left)))).unref();
  }
}

function nextBookmark(left: number): number {
  return left > beforeEnd + earliness ? Math.min(bookmarkInterval, left - beforeEnd) : bookmarkInterval;
}
