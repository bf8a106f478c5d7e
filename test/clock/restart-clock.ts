/** Files share processes, and each of them is to have the time in which the clock is fast. */
globalThis.restartFastClock?.();
