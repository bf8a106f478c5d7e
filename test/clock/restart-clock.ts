/** Restarts the clock for each test file, because files share processes. */
globalThis.restartFastClock?.();
