import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { Http2Connection } from './http2-connection.ts';
import type { Target } from './load-plan.ts';
import { WatchConnection } from './watch-connection.ts';
import type { Latency, WatchLatencyPlan, WatchLatencyResult } from './watch-plans.ts';

/** The watcher and the writer use separate connections, so that neither delays the other. */
export async function runWatchLatency(target: Target, plan: WatchLatencyPlan): Promise<WatchLatencyResult> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const onError = (error: Error) => failed.reject(error);
  let onEvent = () => {};
  let onAnswer = () => {};
  let serial = 0;
  const watch = await WatchConnection.open({ target, path: plan.path, watches: 1, onEvent: () => onEvent(), onError });
  const writer = await Http2Connection.open({
    target,
    request: plan.write,
    nextSerial: () => serial++,
    onAnswer: () => onAnswer(),
    onError,
  });
  const writeOnce = async () => {
    const answered = Promise.withResolvers<number>();
    const seen = Promise.withResolvers<number>();
    onAnswer = () => answered.resolve(performance.now());
    onEvent = () => seen.resolve(performance.now());
    const sentAt = performance.now();
    writer.start();
    const [answeredAt, seenAt] = await Promise.race([Promise.all([answered.promise, seen.promise]), failed.promise]);
    return { fromWrite: seenAt - sentAt, fromAnswer: Math.max(0, seenAt - answeredAt) };
  };
  try {
    const samples: { fromWrite: number; fromAnswer: number }[] = [];
    for (let write = 0; write < plan.warmUpWrites; write++) await writeOnce();
    const busy = performance.eventLoopUtilization();
    for (let write = 0; write < plan.writes; write++) {
      samples.push(await writeOnce());
      await delay(plan.pauseMs);
    }
    return {
      fromWrite: latency(samples.map((sample) => sample.fromWrite)),
      fromAnswer: latency(samples.map((sample) => sample.fromAnswer)),
      busy: performance.eventLoopUtilization(busy).utilization,
    };
  } finally {
    watch.close();
    writer.close();
  }
}

const latency = (times: readonly number[]): Latency => ({
  p50Ms: percentile(times, 0.5),
  p99Ms: percentile(times, 0.99),
});
