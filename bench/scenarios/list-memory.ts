import type { Bench } from '../bench.ts';
import { fillNamespace } from '../fixtures/filled-namespace.ts';
import { largeConfigMap } from '../fixtures/sample-objects.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import type { SlowReading } from '../load/load-plan.ts';
import type { Scenario } from '../scenario.ts';
import { callApi } from '../servers/api-call.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { peakMegabytes, settledMegabytes } from '../servers/resident-memory.ts';

const namespace = 'bench-large';
const listPath = `/api/v1/namespaces/${namespace}/configmaps`;
const readers = 10;

interface Variant {
  readonly name: string;
  readonly suffix: string;
  readonly slowReading?: SlowReading;
}

const variants: readonly Variant[] = [
  { name: 'memory-lists', suffix: '' },
  // About 25 MB per second and reader: far less than the server could send.
  {
    name: 'memory-lists-slow',
    suffix: ', slow readers',
    slowReading: { bytes: 1024 * 1024, pauseMs: 40 },
  },
];

/** The memory cost of large lists in flight: the peak above the server's size with the objects alone. */
export const listMemoryScenarios: readonly Scenario[] = variants.map(({ name, suffix, slowReading }) => ({
  name,
  run: async (bench) => {
    const { directory, count } = await bench.share(makeLargeCollection);
    const load = await bench.share(LoadGenerator.start);
    // A new process, because one that has already worked has free heap space left over.
    const server = await startKeelson(bench, directory);
    await callApi(server.target('http/1.1'), { method: 'GET', path: `${listPath}?limit=1` });
    const before = await settledMegabytes(server.pid);
    const reading = load.run(server.target('h2'), {
      protocol: 'h2',
      connections: readers,
      streams: 1,
      limit: { requests: readers },
      request: { method: 'GET', path: listPath },
      ...(slowReading && { slowReading }),
    });
    const peak = await peakMegabytes(server.pid, reading);
    const { bodyBytes, seconds, busy } = await reading;
    const after = await settledMegabytes(server.pid);
    await server.stop();
    const megabytes = bodyBytes / readers / 1e6;
    return [
      {
        name,
        title: `RSS on top, ${readers} lists of ${Math.round(megabytes)} MB at a time${suffix}`,
        unit: 'MB',
        better: 'lower',
        ours: peak - before,
        goal: { absolute: 100 },
        detail: { before, peak, after, objects: count, listMegabytes: megabytes, seconds, clientBusyOurs: busy },
      },
    ];
  },
}));

/** A fixture: a data directory with a collection of 10 KB objects that no server has open. */
async function makeLargeCollection(bench: Bench): Promise<{ directory: string; count: number }> {
  // Even the smaller collection exceeds the server's cache of joined lists.
  const count = bench.options.quick ? 7_000 : 20_000;
  const directory = await bench.makeDirectory();
  const server = await startKeelson(bench, directory);
  bench.log(`creating ${count} large configmaps`);
  await fillNamespace(bench, { server, namespace, resource: 'configmaps', body: largeConfigMap('large'), count });
  await server.stop();
  return { directory, count };
}
