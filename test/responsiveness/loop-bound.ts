import { cpuTime } from '../codec/cpu-time.ts';

/** How long a request may block the event loop on a machine that is not slow, in milliseconds of processor time. */
const generousMs = 100;
/** The bound on a slow machine, as a multiple of the time for parsing and stringifying JSON of the size of a body. */
const timesPlainWork = 4;

/**
 * Returns how long a request may block the event loop. This is far above the normal time, and far below a time that
 * clients would notice.
 */
export function loopBoundMs(): number {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => ({ name: `n${index}`, value: index })));
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    JSON.stringify(JSON.parse(text));
    return cpuTime(start);
  });
  return Math.max(generousMs, timesPlainWork * Math.min(...times));
}
