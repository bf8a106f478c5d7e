import type { Bench } from '../bench.ts';
import { type Comparison, compare } from '../comparison.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { callApi } from '../servers/api-call.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { settledMegabytes } from '../servers/resident-memory.ts';
import type { Server } from '../servers/server.ts';

const namespace = 'bench-threads';
const pods = `/api/v1/namespaces/${namespace}/pods`;
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
/** Many, because the system spreads connections over threads by chance. */
const connections = 64;

/** What two threads complete relative to one, and what a further thread takes in memory. */
export const threadsScenario: Scenario = {
  name: 'threads',
  run: async (bench) => {
    const [ours, bare] = [await start(bench, 2), await start(bench, 1)];
    const memory = await memoryPerThread(ours, bare);
    for (const server of [ours, bare]) await makeNamespace(server, namespace);
    const row = (name: string, title: string, comparison: Comparison): Measurement => ({
      name,
      title,
      unit: 'requests/s',
      better: 'higher',
      goal: { ratio: 1.5 },
      ...comparison,
    });
    const load = { protocol: 'h2', connections, streams: 1 } as const;
    const creates = await compare(
      bench,
      { ours, bare },
      {
        ...load,
        request: (round) => ({ method: 'POST', path: pods, body: samplePod(`threads-${round}`) }),
      },
    );
    for (const server of [ours, bare]) await createConfigMap(server);
    const gets = await compare(
      bench,
      { ours, bare },
      { ...load, request: () => ({ method: 'GET', path: `${configMaps}/one` }) },
    );
    await Promise.all([ours.stop(), bare.stop()]);
    return [
      row('threads-create', 'create, 64 clients, 2 threads / 1', creates),
      row('threads-get', 'GET one config map, 64 clients, 2 threads / 1', gets),
      memory,
    ];
  },
};

async function start(bench: Bench, threads: number): Promise<Server> {
  const server = await startKeelson(bench, await bench.makeDirectory(), { flags: [`--threads=${threads}`] });
  // Further threads start after the server is ready.
  while ((await threadsOf(server)) < threads) await new Promise((resolve) => setTimeout(resolve, 50));
  return server;
}

async function threadsOf(server: Server): Promise<number> {
  const { body } = await callApi(server.target('http/1.1'), { method: 'GET', path: '/keelson/status' });
  return (JSON.parse(body.toString()) as { threads: number }).threads;
}

async function createConfigMap(server: Server): Promise<void> {
  const body = JSON.stringify({ metadata: { name: 'one' }, data: { text: 'x'.repeat(1000) } });
  await callApi(server.target('http/1.1'), { method: 'POST', path: configMaps, body });
}

async function memoryPerThread(two: Server, one: Server): Promise<Measurement> {
  const [larger, smaller] = [await settledMegabytes(two.pid), await settledMegabytes(one.pid)];
  return {
    name: 'threads-memory',
    title: 'RSS of a further thread, idle',
    unit: 'MB',
    better: 'lower',
    ours: larger - smaller,
    goal: { absolute: 40 },
    detail: { two: larger, one: smaller },
  };
}
