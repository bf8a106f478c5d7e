import type { Bench } from '../bench.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import { startServerPair } from '../fixtures/server-pair.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { serialMark } from '../load/load-plan.ts';
import { withSerial } from '../load/serial-slots.ts';
import type { WatchLatencyResult } from '../load/watch-plans.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { callApi, collectionVersion } from '../servers/api-call.ts';

const namespace = 'bench-latency';
const collection = `/api/v1/namespaces/${namespace}/pods`;
const pauseMs = 2;

/**
 * The delay of watch events. A writer patches one pod repeatedly at a moderate rate, with a pause after each patch.
 * The other watchers are in another process and start first, so that the measured watcher is the last in every queue.
 */
export const watchLatencyScenarios: readonly Scenario[] = [0, 100].map((others) => ({
  name: `watch-latency-${others + 1}`,
  run: async (bench) => {
    await bench.share(makePod);
    return rows(others, await measure(bench, others));
  },
}));

async function measure(bench: Bench, others: number): Promise<WatchLatencyResult> {
  const { ours } = await bench.share(startServerPair);
  const load = await bench.share(LoadGenerator.start);
  const path = `${collection}?watch=1&resourceVersion=${await collectionVersion(ours, collection)}`;
  const crowd = others > 0 ? await LoadGenerator.start(bench) : undefined;
  await crowd?.holdWatches(ours.target('h2'), { path, connections: 2, streams: others / 2 });
  const result = await load.watchLatency(ours.target('h2'), {
    path,
    write: {
      method: 'PATCH',
      path: `${collection}/${podName}`,
      body: JSON.stringify({ metadata: { annotations: { 'example.com/written': `${others}-${serialMark}` } } }),
      contentType: 'application/merge-patch+json',
    },
    warmUpWrites: bench.options.quick ? 100 : 300,
    writes: bench.options.quick ? 300 : 1000,
    pauseMs,
  });
  await crowd?.stop();
  return result;
}

const podName = withSerial(`pod-${serialMark}`, 0);

async function makePod(bench: Bench): Promise<void> {
  const { ours } = await bench.share(startServerPair);
  await makeNamespace(ours, namespace);
  const body = withSerial(samplePod('pod'), 0);
  await callApi(ours.target('http/1.1'), { method: 'POST', path: collection, body });
}

function rows(others: number, { fromWrite, fromResponse, busy }: WatchLatencyResult): Measurement[] {
  const row = (name: string, title: string, ours: number): Measurement => ({
    name: `watch-latency-${others + 1}-${name}`,
    title: `${title}, ${others === 0 ? '1 watcher' : `${others + 1} watchers`}`,
    unit: 'ms',
    better: 'lower',
    ours,
    detail: { clientBusyOurs: busy },
  });
  return [
    row('write-p50', 'write to event, p50', fromWrite.p50Ms),
    row('write-p99', 'write to event, p99', fromWrite.p99Ms),
    row('answer-p50', 'answer to event, p50', fromResponse.p50Ms),
    row('answer-p99', 'answer to event, p99', fromResponse.p99Ms),
  ];
}
