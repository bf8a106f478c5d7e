import { readdirSync, readFileSync } from 'node:fs';

/** Returns the CPU time of a process so far, all threads together. Undefined when the system does not provide it. */
export function cpuSeconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + threadSeconds(pid, thread), 0);
}

/** Like `cpuSeconds`, for the main thread only. */
export function mainThreadSeconds(pid: number): number | undefined {
  return process.platform === 'linux' ? threadSeconds(pid, String(pid)) : undefined;
}

/** In nanoseconds. The times in `stat` are in hundredths of a second, too coarse for short rounds. */
function threadSeconds(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    // The thread has just ended.
    return 0;
  }
}
