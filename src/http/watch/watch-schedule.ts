const bookmarkInterval = 60_000;
/** A bookmark so shortly before the end lets the client begin anew where it was. */
const beforeEnd = 2000;
/** Timers may run a moment early; that bookmark must not come twice. */
const earliness = 10;
/** Timers cannot run longer than this; a watch of weeks ends a little early, which clients are prepared for. */
const longestTimer = 2 ** 31 - 1;

export interface WatchScheduleOptions {
  readonly seconds: number;
  /** Undefined when the client wants none. */
  readonly onBookmark: (() => void) | undefined;
  readonly onEnd: () => void;
}

/** When a watch ends, and when it tells how far it has come. */
export class WatchSchedule {
  readonly #options: WatchScheduleOptions;
  readonly #end: number;
  #timer: NodeJS.Timeout;

  constructor(options: WatchScheduleOptions) {
    this.#options = options;
    this.#end = performance.now() + Math.min(options.seconds * 1000, longestTimer);
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
    // Whole milliseconds: timers of equal length share their list.
    return setTimeout(turn, Math.max(1, Math.ceil(Math.min(left, bookmark ?? left)))).unref();
  }
}

function nextBookmark(left: number): number {
  return left > beforeEnd + earliness ? Math.min(bookmarkInterval, left - beforeEnd) : bookmarkInterval;
}
