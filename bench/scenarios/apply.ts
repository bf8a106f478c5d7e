import type { Bench } from '../bench.ts';
import { loadRound, type Round, rate, warmUp } from '../comparison.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { sampleDeployment } from '../fixtures/sample-objects.ts';
import { startServerPair } from '../fixtures/server-pair.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { type LoadPlan, type LoadRequest, serialMark, turnMark } from '../load/load-plan.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import type { Server } from '../servers/server.ts';
import { median } from '../statistics.ts';

interface Way {
  readonly name: string;
  readonly title: string;
  readonly request: (round: string) => LoadRequest;
  readonly goal?: number;
}

const namespace = 'bench-apply';
const collection = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const clients = 16;
/** Many more than clients, so that no two clients write the same object concurrently. */
const objects = 128;
/** Many short rounds, because conditions vary more over four turns than over two. */
const maxRoundSeconds = 0.3;
const roundFactor = 2;

const applyType = 'application/apply-patch+yaml';
const mergeType = 'application/merge-patch+json';
/** Changes whenever the same object is written again. */
const tag = (round: string) => `${round}-${turnMark}`;
const restart = (text: string) =>
  JSON.stringify({ spec: { template: { metadata: { annotations: { 'example.com/restarted': text } } } } });

function applied(name: string, version: string): LoadRequest {
  return {
    method: 'PATCH',
    path: `${collection}/${name}-${serialMark}?fieldManager=bench`,
    body: sampleDeployment(name, version),
    contentType: applyType,
  };
}

/** Each method has separate objects, whose fields have no other manager. */
const update: Way = {
  name: 'update',
  title: 'PUT a deployment',
  request: (round) => ({
    method: 'PUT',
    path: `${collection}/put-${serialMark}`,
    body: sampleDeployment('put', tag(round)),
  }),
};
const others: readonly Way[] = [
  {
    name: 'apply-unchanged',
    title: 'apply it unchanged / PUT',
    request: () => applied('same', '2.14.3'),
    goal: 1,
  },
  {
    name: 'apply-changed',
    title: 'apply a change of it / PUT',
    request: (round) => applied('other', tag(round)),
    goal: 0.9,
  },
  {
    name: 'merge-patch',
    title: 'merge patch of it / PUT',
    request: (round) => ({
      method: 'PATCH',
      path: `${collection}/patch-${serialMark}`,
      body: restart(tag(round)),
      contentType: mergeType,
    }),
  },
];

/** The cost of other write methods relative to PUT. The methods take turns on one server. */
export const applyScenario: Scenario = {
  name: 'apply',
  run: async (bench) => {
    const { ours } = await bench.share(startServerPair);
    await makeNamespace(ours, namespace);
    await makePatched(bench, ours);
    const rounds = await runRounds(bench, ours);
    const baseline = rounds.get(update)!;
    return [
      { ...row(update, baseline), ours: median(baseline.map(rate)) },
      ...others.map((way) => comparedRow(way, rounds.get(way)!, baseline)),
    ];
  },
};

/** Creates the objects to patch. The other methods create missing objects. */
async function makePatched(bench: Bench, server: Server): Promise<void> {
  const load = await bench.share(LoadGenerator.start);
  await load.run(server.target('h2'), {
    protocol: 'h2',
    connections: clients,
    streams: 1,
    limit: { requests: objects },
    request: { method: 'POST', path: collection, body: sampleDeployment('patch', '2.14.3') },
  });
}

async function runRounds(bench: Bench, server: Server): Promise<ReadonlyMap<Way, readonly Round[]>> {
  const { rounds, roundSeconds, rampSeconds } = bench.options;
  const timed = { rampSeconds, seconds: Math.min(roundSeconds, maxRoundSeconds) };
  const ways = [update, ...others];
  const load = ({ request }: Way, round: string, limit: LoadPlan['limit']) =>
    loadRound(bench, server, {
      protocol: 'h2',
      connections: clients,
      streams: 1,
      serialsBelow: objects,
      request: request(round),
      limit,
    });
  for (const way of ways) await warmUp(bench, ({ name, seconds }) => load(way, name, { rampSeconds, seconds }));
  const results = new Map<Way, Round[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < rounds * roundFactor; round++) {
    const turns = round % 2 === 0 ? ways : ways.toReversed();
    for (const way of turns) results.get(way)!.push(await load(way, `round-${round}`, timed));
  }
  return results;
}

const cost = ({ cpuMicrosPerRequest }: Round) => cpuMicrosPerRequest;

function row({ name, title }: Way, rounds: readonly Round[]): Omit<Measurement, 'ours'> {
  const last = rounds.at(-1)!;
  return {
    name,
    title,
    unit: 'requests/s',
    better: 'higher',
    detail: {
      oursCpuMicros: median(rounds.map(cost)),
      bodyBytes: Math.round(last.bodyBytes / last.requests),
      oursP50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
      oursP99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
      clientBusyOurs: median(rounds.map(({ busy }) => busy)),
    },
  };
}

function comparedRow(way: Way, rounds: readonly Round[], baseline: readonly Round[]): Measurement {
  const cpuRatio = median(rounds.map((round, index) => cost(baseline[index]!) / cost(round)));
  return {
    ...row(way, rounds),
    ours: median(rounds.map(rate)),
    bare: median(baseline.map(rate)),
    ratio: median(rounds.map((round, index) => rate(round) / rate(baseline[index]!))),
    cpuRatio: Number.isNaN(cpuRatio) ? undefined : cpuRatio,
    goal: way.goal === undefined ? undefined : { ratio: way.goal },
  };
}
