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
  let onResponse = () => {};
  let serial = 0;
  const watch = await WatchConnection.open({ target, path: plan.path, watches: 1, onEvent: () => onEvent(), onError });
  const writer = await Http2Connection.open({
    target,
    request: plan.write,
    nextSerial: () => serial++,
    onResponse: () => onResponse(),
    onError,
  });
  const writeOnce = async () => {
    const responded = Promise.withResolvers<number>();
    const seen = Promise.withResolvers<number>();
    onResponse = () => responded.resolve(performance.now());
    onEvent = () => seen.resolve(performance.now());
    const sentAt = performance.now();
    writer.start();
    const [respondedAt, seenAt] = await Promise.race([Promise.all([responded.promise, seen.promise]), failed.promise]);
    return { fromWrite: seenAt - sentAt, fromResponse: Math.max(0, seenAt - respondedAt) };
  };
  try {
    const samples: { fromWrite: number; fromResponse: number }[] = [];
    for (let write = 0; write < plan.warmUpWrites; write++) await writeOnce();
    const busy = performance.eventLoopUtilization();
    for (let write = 0; write < plan.writes; write++) {
      samples.push(await writeOnce());
      await delay(plan.pauseMs);
    }
    return {
      fromWrite: latency(samples.map((sample) => sample.fromWrite)),
      fromResponse: latency(samples.map((sample) => sample.fromResponse)),
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
