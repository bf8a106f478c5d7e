import type { Bench } from '../bench.ts';
import { loadRound, type Round } from '../comparison.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { populatePods } from '../fixtures/pod-population.ts';
import { samplePod } from '../fixtures/sample-objects.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { type LoadPlan, serialMark } from '../load/load-plan.ts';
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
/**
 * Creates per second under watchers, about a third of what the server can do there: each causes 1,000 events of 6 KB.
 * Clients that wait only for responses would always fill the server, with and without watchers, and their latency would
 * be the time that their events take.
 */
const pace = 30;
/** A 99th percentile of creates at this pace needs some seconds. */
const pacedSeconds = 10;
const collectionOf = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;

interface Creates {
  readonly server: Server;
  readonly namespace: string;
}

async function createRound(
  bench: Bench,
  { server, namespace }: Creates,
  name: string,
  plan: Partial<LoadPlan> = {},
): Promise<Round> {
  const { rampSeconds, roundSeconds } = bench.options;
  return loadRound(bench, server, {
    protocol: 'h2',
    connections: clients,
    streams: 1,
    request: { method: 'POST', path: collectionOf(namespace), body: samplePod(name) },
    limit: { rampSeconds, seconds: roundSeconds * roundsLonger },
    ...plan,
  });
}

type Phase = (name: string) => Promise<Round>;

interface Phases {
  readonly quiet: Phase;
  readonly disturbed: Phase;
}

async function warmUp(bench: Bench, { quiet, disturbed }: Phases): Promise<void> {
  for (let round = 0; round < bench.options.warmUpSteps / 6; round++) {
    for (const phase of [quiet, disturbed]) await phase(`warm-${round}`);
  }
}

const goal = { absolute: 3 };

/** Measures creates with and without the other work in alternating rounds. */
async function row(
  bench: Bench,
  described: Pick<Measurement, 'name' | 'title' | 'goal'>,
  { quiet, disturbed }: Phases,
): Promise<Measurement> {
  const { name } = described;
  const rounds: { readonly quiet: Round; readonly disturbed: Round }[] = [];
  for (let round = 0; round < bench.options.rounds; round++) {
    rounds.push({ quiet: await quiet(`${name}-${round}`), disturbed: await disturbed(`${name}-${round}`) });
  }
  const of = (phase: 'quiet' | 'disturbed', field: 'p50Ms' | 'p99Ms') =>
    median(rounds.map((both) => both[phase][field]));
  return {
    ...described,
    unit: 'times',
    better: 'lower',
    ours: median(rounds.map((both) => both.disturbed.p99Ms / both.quiet.p99Ms)),
    detail: {
      quietP50Ms: of('quiet', 'p50Ms'),
      quietP99Ms: of('quiet', 'p99Ms'),
      disturbedP50Ms: of('disturbed', 'p50Ms'),
      disturbedP99Ms: of('disturbed', 'p99Ms'),
    },
  };
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
    await warmUp(bench, phases);
    const result = await row(bench, { name: 'create-under-compaction', title, goal }, phases);
    await updater.stop();
    return [result];
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
    await warmUp(bench, { quiet, disturbed });
    const result = await row(bench, { name: 'create-under-list', title, goal }, { quiet, disturbed });
    await reader.stop();
    return [result];
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
    const phases = (plan?: Partial<LoadPlan>): Phases => ({
      quiet: (name) => createRound(bench, { server, namespace: alone }, name, plan),
      disturbed: (name) => createRound(bench, { server, namespace: watched }, name, plan),
    });
    const busy = phases();
    await warmUp(bench, busy);
    const { rampSeconds, quick } = bench.options;
    const paced = phases({ pace, limit: { rampSeconds, seconds: quick ? 1 : pacedSeconds } });
    const others = `under ${count.toLocaleString('en')} watchers / quiet`;
    const rows = [
      await row(bench, { name: 'create-under-watchers', title: `p99 of ${pace} creates/s ${others}`, goal }, paced),
      await row(bench, { name: 'create-busy-under-watchers', title: `p99 of ${clients} busy clients ${others}` }, busy),
    ];
    await crowd.stop();
    await server.stop();
    return rows;
  },
};

/** The increase of the worst latencies of creates while the server has other work to do. */
export const disturbedCreateScenarios: readonly Scenario[] = [underCompaction, underList, underWatchers];
