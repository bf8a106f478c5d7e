import type { Bench } from '../bench.ts';
import { compare, compareTurns, loadRound, notMeasured, type Round, timeOf } from '../comparison.ts';
import { fanOutRound, sampleEvent } from '../fixtures/fan-out.ts';
import { fillNamespace, makeNamespace } from '../fixtures/filled-namespace.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import type { LoadRequest } from '../load/load-plan.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { cpuSeconds } from '../servers/cpu-time.ts';
import { startEtcd, startEtcdLoop, startOnEtcd } from '../servers/etcd-process.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import type { Server } from '../servers/server.ts';

const namespace = 'bench-etcd';
const collection = `/api/v1/namespaces/${namespace}/pods`;
const pods = 2000;
const clients = 64;
/** The size of the sample pod in etcd, with its defaults and managed fields. */
const valueBytes = 4000;

interface Servers {
  readonly onEtcd: Server;
  readonly embedded: Server;
}

/** A fixture: a server on etcd and one with its own store, with the same pods. */
async function startBoth(bench: Bench): Promise<Servers | undefined> {
  const etcd = await bench.share(startEtcd);
  if (etcd === undefined) return undefined;
  const onEtcd = await startOnEtcd(bench, etcd);
  const embedded = await startKeelson(bench, await bench.makeDirectory());
  for (const server of [onEtcd, embedded]) {
    await fillNamespace(bench, { server, namespace, resource: 'pods', body: samplePod('pod'), count: pods });
  }
  return { onEtcd, embedded };
}

interface Variant {
  readonly name: string;
  readonly title: string;
  readonly connections: number;
  readonly streams: number;
  readonly request: LoadRequest;
}

const get = { method: 'GET' } as const;

const reads: readonly Variant[] = [
  {
    name: 'etcd-get',
    title: 'GET one pod, on etcd / embedded',
    connections: 4,
    streams: 8,
    request: { ...get, path: `${collection}/pod-000000000001` },
  },
  {
    name: 'etcd-get-any',
    title: 'GET one pod, resourceVersion=0, on etcd / embedded',
    connections: 4,
    streams: 8,
    request: { ...get, path: `${collection}/pod-000000000001?resourceVersion=0` },
  },
  {
    name: 'etcd-list',
    title: `LIST ${pods.toLocaleString('en')} pods, on etcd / embedded`,
    connections: 2,
    streams: 1,
    request: { ...get, path: collection },
  },
];

/**
 * Reads are served from memory on every storage. On etcd, the server requests the latest revision before a read that
 * must be current.
 */
const readScenarios: readonly Scenario[] = reads.map(({ name, title, request, ...load }) => ({
  name,
  run: async (bench) => {
    const servers = await bench.share(startBoth);
    if (servers === undefined) return [];
    const pair = { ours: servers.onEtcd, bare: servers.embedded };
    const comparison = await compare(bench, pair, { protocol: 'h2', ...load, request: () => request });
    return [{ name, title, unit: 'requests/s', better: 'higher', goal: { ratio: 0.9 }, ...comparison }];
  },
}));

/** The cost of a create relative to that of its transaction alone. */
const createScenario: Scenario = {
  name: 'etcd-create-64',
  run: async (bench) => {
    const etcd = await bench.share(startEtcd);
    if (etcd === undefined) return [];
    const ours = await startOnEtcd(bench, etcd);
    const place = 'bench-etcd-create';
    await makeNamespace(ours, place);
    const loop = await startEtcdLoop(bench, etcd);
    const { rampSeconds } = bench.options;
    const comparison = await compareTurns(bench, { ours, bare: { ...ours, pid: loop.pid } }, async (server, turn) => {
      if (server.pid === loop.pid) return loopRound(loop, turn.seconds);
      const request = {
        method: 'POST',
        path: `/api/v1/namespaces/${place}/pods`,
        body: samplePod(`round-${turn.name}`),
      } as const;
      const limit = { rampSeconds, seconds: turn.seconds };
      return loadRound(bench, server, { protocol: 'h2', connections: clients, streams: 1, request, limit });
    });
    return [
      {
        name: 'etcd-create-64',
        title: `create on etcd, ${clients} clients / a loop of etcd transactions`,
        unit: 'requests/s',
        better: 'higher',
        goal: { ratio: 0.7 },
        ...comparison,
      } satisfies Measurement,
    ];
  },
};

async function loopRound(loop: Awaited<ReturnType<typeof startEtcdLoop>>, seconds: number): Promise<Round> {
  const cpu = timeOf(() => cpuSeconds(loop.pid));
  const result = await loop.run({ clients, seconds, valueBytes });
  return { ...result, ...notMeasured, bodyBytes: 0, cpuMicrosPerRequest: (cpu() * 1e6) / result.requests };
}

const watchers = { connections: 4, streams: 25 };

/** The latency from a write to the watchers, through the watch of etcd. */
const watchScenario: Scenario = {
  name: 'etcd-watch',
  run: async (bench) => {
    const servers = await bench.share(startBoth);
    if (servers === undefined) return [];
    const pair = { ours: servers.onEtcd, bare: servers.embedded };
    const place = 'bench-etcd-watch';
    for (const server of [pair.ours, pair.bare]) await makeNamespace(server, place);
    const [event] = await Promise.all([pair.bare, pair.ours].map((server) => sampleEvent(server, place)));
    const comparison = await compareTurns(bench, pair, (server, turn) =>
      fanOutRound(bench, { server, turn, versionOf: server, namespace: place, eventBytes: event!.length, ...watchers }),
    );
    const count = watchers.connections * watchers.streams;
    const title = `fan-out to ${count} watchers, on etcd / embedded`;
    return [{ name: 'etcd-watch', title, unit: 'events/s', better: 'higher', goal: { ratio: 0.9 }, ...comparison }];
  },
};

export const etcdScenarios: readonly Scenario[] = [...readScenarios, watchScenario, createScenario];
