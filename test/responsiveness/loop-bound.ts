import { cpuTime } from '../codec/cpu-time.ts';

/** What a request may hold the loop, in milliseconds of processor time, on a machine that is not slow. */
const generousMs = 100;
/** How many times the same machine's time for plain work of the size of a body. */
const timesPlainWork = 4;

/** The longest that a request may hold the loop: far above what it does, far below what has to be noticed. */
export function loopBoundMs(): number {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => ({ name: `n${index}`, value: index })));
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    JSON.stringify(JSON.parse(text));
    return cpuTime(start);
  });
  return Math.max(generousMs, timesPlainWork * Math.min(...times));
}
