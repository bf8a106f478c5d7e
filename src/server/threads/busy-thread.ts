import { setInterval } from 'node:timers/promises';

/** A thread is busy when its event loop utilization was at least `utilization` in `intervals` consecutive intervals. */
const busy = { utilization: 0.7, intervals: 3, intervalMs: 500 };

/** Resolves when this thread is busy and the condition holds, or when the signal aborts. */
export async function untilBusy(isWorthwhile: () => boolean, signal: AbortSignal): Promise<void> {
  const { eventLoopUtilization } = performance;
  let count = 0;
  let last = eventLoopUtilization();
  try {
    for await (const _ of setInterval(busy.intervalMs, undefined, { ref: false, signal })) {
      const now = eventLoopUtilization();
      const isBusy = eventLoopUtilization(now, last).utilization >= busy.utilization;
      last = now;
      count = isBusy && isWorthwhile() ? count + 1 : 0;
      if (count === busy.intervals) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
