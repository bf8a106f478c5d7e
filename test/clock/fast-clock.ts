/**
 * A preload for tests that makes the wall clock run many times faster, so that seconds pass between any two requests.
 * Timers and `performance.now()` are not changed. `vitest.config.ts` loads it when `TEST_CLOCK_RATE` is set. Processes
 * that a test starts inherit it with the same origin.
 *
 * The clock starts in the past, again for every test file (`restart-clock.ts`), and never passes the real time: some
 * code validates certificates with the real clock, and they must not begin in the future. When a file runs so long that
 * the clock reaches the real time, it continues at normal speed.
 */
const rate = Number(process.env.TEST_CLOCK_RATE);
const fastMs = 120_000;
const RealDate = Date;
process.env.TEST_CLOCK_ORIGIN ??= String(RealDate.now());
let origin = Number(process.env.TEST_CLOCK_ORIGIN);

globalThis.restartFastClock = () => {
  origin = RealDate.now();
  process.env.TEST_CLOCK_ORIGIN = String(origin);
};

function now(): number {
  const real = RealDate.now();
  return Math.floor(Math.min(origin + (real - origin - fastMs) * rate + fastMs, real));
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(
      target,
      args.length === 0 ? [now()] : args,
      newTarget === FastDate ? target : newTarget,
    ) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
const FastDate = globalThis.Date;
RealDate.prototype.constructor = FastDate;

export {};

declare global {
  var restartFastClock: (() => void) | undefined;
}
