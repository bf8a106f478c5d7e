/**
 * A preload for tests: the wall clock runs many times faster, so that seconds pass between any two requests. Timers and
 * `performance.now()` stay as they are. `vitest.config.ts` loads it when `TEST_CLOCK_RATE` is set; processes that a test
 * starts inherit it, and count from the same moment.
 *
 * It starts in the past and reaches the real time when a test file has had all of its time: certificates are judged by
 * the real clock, too, and may not begin in the future.
 */
const rate = Number(process.env.TEST_CLOCK_RATE);
const maxFileMs = Number(process.env.TEST_FILE_SECONDS ?? 120) * 1000;
const RealDate = Date;
process.env.TEST_CLOCK_ORIGIN ??= String(RealDate.now());
const origin = Number(process.env.TEST_CLOCK_ORIGIN);

function now(): number {
  return Math.floor(origin + (RealDate.now() - origin - maxFileMs) * rate + maxFileMs);
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
