import { compareTurns } from '../comparison.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import { type ServerPair, startServerPair } from '../fixtures/server-pair.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { withSerial } from '../load/serial-slots.ts';
import type { Scenario } from '../scenario.ts';
import { callApi, collectionVersion } from '../servers/api-call.ts';

const namespace = 'bench-fan-out';
const collection = `/api/v1/namespaces/${namespace}/pods`;
/** Similar to a group commit of a few writers. More would only lengthen the queue of a slow watcher. */
const outstanding = 4;
/** The allowed difference in event length between the servers. Only the number of digits in numbers changes. */
const tolerance = 0.01;

/** Names have the same length in every round, so the events have the same length too. */
const podName = (round: string) => `round-${round.padStart('warm-up'.length, '0')}`;

/** One writer creates pods, and all watchers of the collection receive each of them. */
export const fanOutScenario: Scenario = {
  name: 'fan-out',
  run: async (bench) => {
    const { quick, rampSeconds } = bench.options;
    const layout = { connections: 4, streams: quick ? 50 : 250 };
    const pair = await bench.share(startServerPair);
    const load = await bench.share(LoadGenerator.start);
    await makeNamespace(pair.ours, namespace);
    const eventBytes = await prepareEvent(pair);
    const comparison = await compareTurns(bench, pair, async (server, { name, seconds }) => {
      const version = await collectionVersion(pair.ours, collection);
      const result = await load.fanOut(server.target('h2'), {
        watch: { path: `${collection}?watch=1&resourceVersion=${version}`, ...layout },
        write: { method: 'POST', path: collection, body: samplePod(podName(name)) },
        outstanding,
        rampSeconds,
        seconds,
        pid: server.pid,
      });
      const received = result.bodyBytes / result.requests;
      if (Math.abs(received / eventBytes - 1) > tolerance) {
        throw new Error(`events of ${received} bytes, but the prepared one has ${eventBytes}: not the same work`);
      }
      return { ...result, cpuMicrosPerRequest: (result.cpuSeconds * 1e6) / result.requests };
    });
    const watchers = layout.connections * layout.streams;
    return [
      {
        name: 'fan-out',
        title: `fan-out to ${watchers.toLocaleString('en')} watchers`,
        unit: 'events/s',
        better: 'higher',
        goal: { ratio: 0.85 },
        peer: { ratio: 0.52 },
        ...comparison,
      },
    ];
  },
};

/** Copies the event that our server sends for a newly created pod to the bare server. Returns its length. */
async function prepareEvent({ ours, copyEvent }: ServerPair): Promise<number> {
  const body = withSerial(samplePod(podName('sample')), 0);
  const created = await callApi(ours.target('http/1.1'), { method: 'POST', path: collection, body });
  const event = Buffer.from(`{"type":"ADDED","object":${created.body.toString().trimEnd()}}\n`);
  await copyEvent(event);
  return event.length;
}
