import type { Bench } from '../bench.ts';
import { loadRound, type Round } from '../comparison.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { populatePods } from '../fixtures/pod-population.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { serialMark } from '../load/load-plan.ts';
import { withSerial } from '../load/serial-slots.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { callApi, collectionVersion } from '../servers/api-call.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import type { Server } from '../servers/server.ts';
import { median } from '../statistics.ts';

/** Few enough that the latency without other work is that of a request, not of a queue. */
const clients = 8;
/** A 99th percentile needs some hundred requests. */
const roundsLonger = 3;
const watchers = { connections: 4, streams: 250 };
const collectionOf = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;

interface Creates {
  readonly server: Server;
  readonly namespace: string;
}

async function createRound(bench: Bench, { server, namespace }: Creates, name: string): Promise<Round> {
  const { rampSeconds, roundSeconds } = bench.options;
  return loadRound(bench, server, {
    protocol: 'h2',
    connections: clients,
    streams: 1,
    request: { method: 'POST', path: collectionOf(namespace), body: samplePod(name) },
    limit: { rampSeconds, seconds: roundSeconds * roundsLonger },
  });
}

type Phase = (name: string) => Promise<Round>;

/**
 * Measures creates with and without the other work in alternating rounds, after some rounds of each that do not count.
 */
async function row(
  bench: Bench,
  { name, title }: Pick<Measurement, 'name' | 'title'>,
  { quiet, disturbed }: { readonly quiet: Phase; readonly disturbed: Phase },
): Promise<Measurement[]> {
  for (let round = 0; round < bench.options.warmUpSteps / 4; round++) {
    for (const phase of [quiet, disturbed]) await phase(`${name}-warm-${round}`);
  }
  const rounds: { readonly quiet: Round; readonly disturbed: Round }[] = [];
  for (let round = 0; round < bench.options.rounds; round++) {
    rounds.push({ quiet: await quiet(`${name}-${round}`), disturbed: await disturbed(`${name}-${round}`) });
  }
  const of = (phase: 'quiet' | 'disturbed', field: 'p50Ms' | 'p99Ms') =>
    median(rounds.map((both) => both[phase][field]));
  return [
    {
      name,
      title,
      unit: 'times',
      better: 'lower',
      goal: { absolute: 3 },
      ours: median(rounds.map((both) => both.disturbed.p99Ms / both.quiet.p99Ms)),
      detail: {
        quietP50Ms: of('quiet', 'p50Ms'),
        quietP99Ms: of('quiet', 'p99Ms'),
        disturbedP50Ms: of('disturbed', 'p50Ms'),
        disturbedP99Ms: of('disturbed', 'p99Ms'),
      },
    },
  ];
}

/** Two servers, both with clients that update pods. Only one of them removes history, about twice a second. */
const underCompaction: Scenario = {
  name: 'create-under-compaction',
  run: async (bench) => {
    const namespace = 'bench-compaction';
    const updater = await LoadGenerator.start(bench);
    const start = async (retention: string): Promise<Phase> => {
      const flags = [`--compaction-retention=${retention}`];
      const server = await startKeelson(bench, await bench.makeDirectory(), { flags });
      await makeNamespace(server, namespace);
      const body = withSerial(samplePod('updated'), 0);
      await callApi(server.target('http/1.1'), { method: 'POST', path: collectionOf(namespace), body });
      return (name) => withUpdates(bench, { server, namespace, updater }, name);
    };
    const phases = { quiet: await start('1h'), disturbed: await start('1s') };
    const title = 'p99 of creates under compaction / without';
    const rows = await row(bench, { name: 'create-under-compaction', title }, phases);
    await updater.stop();
    return rows;
  },
};

async function withUpdates(
  bench: Bench,
  { updater, ...creates }: Creates & { readonly updater: LoadGenerator },
  name: string,
): Promise<Round> {
  const { server, namespace } = creates;
  const change = { metadata: { annotations: { 'example.com/written': `${name}-${serialMark}` } } };
  const path = `${collectionOf(namespace)}/${withSerial(`updated-${serialMark}`, 0)}`;
  const seconds = bench.options.roundSeconds * roundsLonger + bench.options.rampSeconds;
  const updating = updater.run(server.target('h2'), {
    protocol: 'h2',
    connections: 1,
    streams: 1,
    request: { method: 'PATCH', path, body: JSON.stringify(change), contentType: 'application/merge-patch+json' },
    limit: { rampSeconds: 0, seconds },
  });
  const [round] = await Promise.all([createRound(bench, creates, name), updating]);
  return round;
}

/** Another client reads lists of all pods, one after the other. */
const underList: Scenario = {
  name: 'create-under-list',
  run: async (bench) => {
    const { pair, listPath, count } = await bench.share(populatePods);
    const creates = { server: pair.ours, namespace: 'bench-under-list' };
    await makeNamespace(creates.server, creates.namespace);
    const reader = await LoadGenerator.start(bench);
    const seconds = bench.options.roundSeconds * roundsLonger + bench.options.rampSeconds;
    const disturbed: Phase = async (name) => {
      const reading = reader.run(pair.ours.target('h2'), {
        protocol: 'h2',
        connections: 1,
        streams: 1,
        request: { method: 'GET', path: listPath },
        limit: { rampSeconds: 0, seconds },
      });
      const [round] = await Promise.all([createRound(bench, creates, name), reading]);
      return round;
    };
    const quiet: Phase = (name) => createRound(bench, creates, `quiet-${name}`);
    const title = `p99 of creates under LIST ${count.toLocaleString('en')} pods / quiet`;
    const rows = await row(bench, { name: 'create-under-list', title }, { quiet, disturbed });
    await reader.stop();
    return rows;
  },
};

/** Pods are created in a namespace with many watchers, and in one without watchers. */
const underWatchers: Scenario = {
  name: 'create-under-watchers',
  run: async (bench) => {
    const server = await startKeelson(bench, await bench.makeDirectory());
    const [watched, alone] = ['bench-watched', 'bench-alone'] as const;
    for (const namespace of [watched, alone]) await makeNamespace(server, namespace);
    const crowd = await LoadGenerator.start(bench);
    const version = await collectionVersion(server, collectionOf(watched));
    const path = `${collectionOf(watched)}?watch=1&resourceVersion=${version}`;
    const count = await crowd.holdWatches(server.target('h2'), { path, ...watchers });
    const title = `p99 of creates under ${count.toLocaleString('en')} watchers / quiet`;
    const phases = {
      quiet: (name: string) => createRound(bench, { server, namespace: alone }, name),
      disturbed: (name: string) => createRound(bench, { server, namespace: watched }, name),
    };
    const rows = await row(bench, { name: 'create-under-watchers', title }, phases);
    await crowd.stop();
    await server.stop();
    return rows;
  },
};

/** The increase of the worst latencies of creates while the server has other work to do. */
export const disturbedCreateScenarios: readonly Scenario[] = [underCompaction, underList, underWatchers];
