import { Agent } from 'node:https';
import { hostileRequests } from '../../test/responsiveness/hostile-requests.ts';
import type { Bench } from '../bench.ts';
import {
  type ComparedLoad,
  type ComparedServers,
  type Comparison,
  compare,
  compareTurns,
  loadRound,
  rate,
} from '../comparison.ts';
import { fanOutRound, sampleEvent } from '../fixtures/fan-out.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { jsonType, type LoadRequest } from '../load/load-plan.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { callApi } from '../servers/api-call.ts';
import { coreScaling } from '../servers/core-scaling.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { settledMegabytes } from '../servers/resident-memory.ts';
import type { Server } from '../servers/server.ts';

const namespace = 'bench-threads';
const pods = `/api/v1/namespaces/${namespace}/pods`;
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
/**
 * Connections enough that each thread has some: the system spreads them by chance. Several requests share a connection,
 * because requests that are sent together cost the load generator less. It runs on the same cores, so two threads
 * cannot use the CPU time that it uses.
 */
const createLoad: ComparedLoad = {
  protocol: 'h2',
  connections: 64,
  streams: 4,
  request: (round) => ({ method: 'POST', path: pods, body: samplePod(`threads-${round}`) }),
};
/** So few that one of two threads is idle at times. */
const fewCreates: ComparedLoad = {
  ...createLoad,
  connections: 16,
  request: (round) => createLoad.request(`few-${round}`),
};
const getOne = { method: 'GET', path: `${configMaps}/one` } as const;
const getLoad: ComparedLoad = { protocol: 'h2', connections: 64, streams: 4, request: () => getOne };
/** As many connections as the system spreads evenly enough. */
const fanOut = { connections: 100, streams: 100 };
/** The load of the other clients while one client sends expensive requests. */
const others = { protocol: 'h2', connections: 16, streams: 1 } as const;
const othersSeconds = 3;
/** Single requests that occupy their thread for longer than most others, with large bodies and with a small one. */
const worst = [
  'JSON: many keys, within bounds',
  'metadata: wrong labels, within bounds',
  'pod: empty containers, within bounds',
  'YAML: many keys, within bounds',
  'merge patch: nothing of many keys, within bounds',
];

/** The throughput of two threads relative to one, and the memory of an additional thread. */
export const threadsScenario: Scenario = {
  name: 'threads',
  run: async (bench) => {
    const scaling = await coreScaling(bench.options.quick ? 500 : 3000);
    const pair = { ours: await start(bench, 2), bare: await start(bench, 1) };
    const { ours, bare } = pair;
    const memory = await memoryPerThread(ours, bare);
    for (const server of [ours, bare]) {
      await makeNamespace(server, namespace);
      await createConfigMap(server);
    }
    const rows = (name: string, title: string, comparison: Comparison): readonly Measurement[] => [
      {
        name,
        title,
        unit: name === 'threads-fan-out' ? 'events/s' : 'requests/s',
        better: 'higher',
        goal: { ratio: 1.5 },
        ...comparison,
      },
      {
        name: `${name}-alone`,
        title: `${title}, without the time of the load generator`,
        unit: 'times',
        better: 'higher',
        goal: { absolute: 1.5 },
        ours: ratioAlone(comparison),
        detail: {},
      },
    ];
    const creates = await compare(bench, pair, createLoad);
    const few = await compare(bench, pair, fewCreates);
    const gets = await compare(bench, pair, getLoad);
    const createsByProcesses = await compareProcesses(bench, bare, createLoad);
    const getsByProcesses = await compareProcesses(bench, bare, getLoad);
    const comparisonRow = (name: string, title: string, comparison: Comparison): Measurement => ({
      name,
      title,
      unit: 'requests/s',
      better: 'higher',
      ...comparison,
    });
    const fanOutComparison = await compareFanOut(bench, pair);
    const delay = await delayOfOthers(bench, ours);
    await Promise.all([ours.stop(), bare.stop()]);
    return [
      {
        name: 'threads-computation',
        title: 'pure computation, 2 threads / 1: the most that this machine allows',
        unit: 'times',
        better: 'higher',
        ours: scaling,
        detail: {},
      },
      ...rows('threads-create', 'create, 256 at a time, 2 threads / 1', creates),
      comparisonRow('threads-create-few', 'create, 64 at a time, 2 threads / 1', few),
      comparisonRow('threads-create-processes', 'create, 256 at a time, 2 servers of 1 thread / 1', createsByProcesses),
      ...rows('threads-get', 'GET one config map, 256 at a time, 2 threads / 1', gets),
      comparisonRow(
        'threads-get-processes',
        'GET one config map, 256 at a time, 2 servers of 1 thread / 1',
        getsByProcesses,
      ),
      ...rows(
        'threads-fan-out',
        `fan-out to ${fanOutComparison.watchers.toLocaleString('en')} watchers, 2 threads / 1`,
        fanOutComparison.comparison,
      ),
      delay,
      memory,
    ];
  },
};

/**
 * The throughput of two independent servers of one thread each relative to one of them, under the same load. They share
 * nothing but the machine with each other and with the load generator, so it shows what two threads can reach.
 */
async function compareProcesses(
  bench: Bench,
  one: Server,
  { connections, request, ...load }: ComparedLoad,
): Promise<Comparison> {
  const other = await start(bench, 1);
  await makeNamespace(other, namespace);
  await createConfigMap(other);
  // A load generator runs one job at a time.
  const otherGenerator = await LoadGenerator.start(bench);
  const comparison = await compareTurns(bench, { ours: other, bare: one }, async (server, { name, seconds }) => {
    const limit = { rampSeconds: bench.options.rampSeconds, seconds };
    if (server === one) {
      return loadRound(bench, one, { ...load, connections, request: request(`one-${name}`), limit });
    }
    const half = { ...load, connections: connections / 2, request: request(`each-${name}`), limit };
    const [first, second] = await Promise.all([
      loadRound(bench, one, half),
      otherGenerator.run(other.target(load.protocol), { ...half, pid: other.pid }),
    ]);
    return { ...second, requests: second.requests + rate(first) * second.seconds };
  });
  await Promise.all([other.stop(), otherGenerator.stop()]);
  return comparison;
}

/**
 * The throughput of two threads on two cores relative to one thread, if the load generator ran on another machine. One
 * thread is limited by its core. Two threads are limited by the CPU time of the whole process.
 */
function ratioAlone({ detail: { bareMainMicros = Number.NaN, oursCpuMicros = Number.NaN } }: Comparison): number {
  return bareMainMicros / (oursCpuMicros / 2);
}

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

async function compareFanOut(
  bench: Bench,
  pair: ComparedServers,
): Promise<{ readonly comparison: Comparison; readonly watchers: number }> {
  const { connections } = fanOut;
  const streams = bench.options.quick ? 20 : fanOut.streams;
  const namespace = 'bench-threads-told';
  for (const server of [pair.ours, pair.bare]) await makeNamespace(server, namespace);
  const { length: eventBytes } = await sampleEvent(pair.ours, namespace);
  const comparison = await compareTurns(bench, pair, (server, turn) =>
    fanOutRound(bench, { server, turn, namespace, versionOf: server, connections, streams, eventBytes }),
  );
  return { comparison, watchers: connections * streams };
}

/**
 * The p99 of reads while one client sends expensive requests one after the other: the highest for any of these
 * requests.
 */
async function delayOfOthers(bench: Bench, server: Server): Promise<Measurement> {
  const { rampSeconds, quick } = bench.options;
  const delays: Record<string, number> = {};
  for (const about of worst) {
    const { method, path, headers, body, given } = hostileRequests.find((request) => request.about === about)!;
    for (const object of given ?? []) {
      await callApi(server.target('http/1.1'), { method: 'POST', path: object.path, body: object.body() });
    }
    const contentType = headers?.['content-type'] ?? jsonType;
    const hard = { method: method as LoadRequest['method'], path, contentType, body: body!().toString() };
    // A client keeps its connection, so that it disturbs one thread.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let isOver = false;
    const working = (async () => {
      // Most of these requests are rejected in the end, or their object exists already.
      while (!isOver) await callApi(server.target('http/1.1'), hard, agent).catch(() => {});
    })();
    // The first large requests start a thread for them.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const limit = { rampSeconds, seconds: quick ? 1 : othersSeconds };
    delays[about] = (await loadRound(bench, server, { ...others, request: getOne, limit })).p99Ms;
    isOver = true;
    await working;
    agent.destroy();
  }
  return {
    name: 'threads-others',
    title: 'p99 of GETs during the hardest single requests, 2 threads',
    unit: 'ms',
    better: 'lower',
    ours: Math.max(...Object.values(delays)),
    goal: { absolute: 20 },
    detail: delays,
  };
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
