import type { Bench } from './bench.ts';
import type { BenchOptions } from './bench-options.ts';
import { LoadGenerator } from './load/load-generator.ts';
import type { LoadPlan, LoadResult } from './load/load-plan.ts';
import type { Server } from './servers/server.ts';
import { median, percentile } from './statistics.ts';

export interface Comparison {
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
  readonly cpuRatio: number | undefined;
  readonly detail: Readonly<Record<string, number>>;
}

/** The load for both servers. A function of the round when every round needs unique names. */
export type ComparedLoad = Omit<LoadPlan, 'limit' | 'request'> & {
  readonly request: (round: string) => LoadPlan['request'];
  /** A single client makes too few requests to get the code of either server optimized, so the warm-up has 16. */
  readonly warmUpConnections?: number | undefined;
};

/** Two servers that receive the same load. The result of `ours` is expressed relative to the other. */
export interface ComparedServers {
  readonly ours: Server;
  readonly bare: Server;
}

/** The load on one server in one round. */
export interface Turn {
  /** Unique among the turns on this server. */
  readonly name: string;
  readonly seconds: number;
  readonly isWarmUp: boolean;
}

export type Round = Omit<LoadResult, 'allRequests'>;

/** Placeholders for rounds whose client is not the load generator. */
export const notMeasured = {
  p50Ms: Number.NaN,
  p99Ms: Number.NaN,
  busy: 0,
  clientMicros: Number.NaN,
  mainMicrosPerRequest: Number.NaN,
} as const;

/** How many rounds are run, and how long each is. */
export type RoundOptions = Pick<BenchOptions, 'rounds' | 'roundSeconds'>;

/** Compares two servers by the number of requests they complete. */
export async function compare(
  bench: Bench,
  pair: ComparedServers,
  { warmUpConnections = 16, ...compared }: ComparedLoad,
  rounds?: RoundOptions,
): Promise<Comparison> {
  const { rampSeconds } = bench.options;
  const run = ({ name, seconds, isWarmUp }: Turn): Omit<LoadPlan, 'pid'> => ({
    ...compared,
    connections: isWarmUp ? Math.max(compared.connections, warmUpConnections) : compared.connections,
    request: compared.request(name),
    limit: { rampSeconds, seconds },
  });
  return compareTurns(bench, pair, (server, turn) => loadRound(bench, server, run(turn)), rounds);
}

export async function loadRound(bench: Bench, server: Server, plan: LoadPlan): Promise<Round> {
  const load = await bench.share(LoadGenerator.start);
  return load.run(server.target(plan.protocol), { ...plan, pid: server.pid });
}

/**
 * Returns a function that returns the time since this call. The result is NaN when the system does not provide the
 * time.
 */
export function timeOf(read: () => number | undefined): () => number {
  const before = read() ?? Number.NaN;
  return () => (read() ?? Number.NaN) - before;
}

/**
 * Loads both servers in alternating turns. The speed of a machine drifts over minutes (heat, neighbours, other jobs):
 * two adjacent rounds see the same conditions, two long consecutive runs do not. The server that goes first alternates
 * as well, so that a steady drift favours neither.
 */
export async function compareTurns(
  bench: Bench,
  pair: ComparedServers,
  run: (server: Server, turn: Turn) => Promise<Round>,
  { rounds, roundSeconds }: RoundOptions = bench.options,
): Promise<Comparison> {
  const warm = (server: Server): Promise<number> => warmUp(bench, (turn) => run(server, turn));
  const warmUpSteps = await warm(pair.ours);
  await warm(pair.bare);
  const ours: Round[] = [];
  const bare: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const turn = { name: String(round), seconds: roundSeconds, isWarmUp: false };
    const turns = [
      async () => ours.push(await run(pair.ours, turn)),
      async () => bare.push(await run(pair.bare, turn)),
    ];
    if (round % 2 === 1) turns.reverse();
    for (const takeTurn of turns) await takeTurn();
  }
  return summarize(ours, bare, warmUpSteps);
}

/** A step is level if its cost is not lower than that of the cheapest earlier step by more than this fraction. */
const levelWithin = 0.02;
/** The warm-up ends after this number of level steps. A few of them may be level only because the machine is busy. */
const levelSteps = 4;

/**
 * Applies a load until the cost of a request does not fall any more, or for the maximum number of steps. V8 needs
 * thousands of requests to compile and optimize the code. The cost is CPU time where it is known, because other
 * processes on the machine disturb rates more. Returns the number of steps.
 */
export async function warmUp(
  { options: { warmUpSeconds: seconds, warmUpSteps } }: Bench,
  run: (turn: Turn) => Promise<Round>,
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  let level = 0;
  let step = 0;
  while (step < warmUpSteps && level < levelSteps) {
    const round = await run({ name: `warm-up-${step}`, seconds, isWarmUp: true });
    const cost = Number.isNaN(round.cpuMicrosPerRequest) ? 1 / rate(round) : round.cpuMicrosPerRequest;
    level = cost > lowest * (1 - levelWithin) ? level + 1 : 0;
    lowest = Math.min(lowest, cost);
    step += 1;
  }
  return step;
}

export const rate = ({ requests, seconds }: Round) => requests / seconds;

function summarize(ours: readonly Round[], bare: readonly Round[], warmUpSteps: number): Comparison {
  const ratios = ours.map((result, round) => rate(result) / rate(bare[round]!));
  const cpuRatios = ours.map((result, round) => bare[round]!.cpuMicrosPerRequest / result.cpuMicrosPerRequest);
  const cpuRatio = median(cpuRatios);
  const last = ours.at(-1)!;
  const oursCpu = median(ours.map((round) => round.cpuMicrosPerRequest));
  const bareCpu = median(bare.map((round) => round.cpuMicrosPerRequest));
  return {
    ours: median(ours.map(rate)),
    bare: median(bare.map(rate)),
    ratio: median(ratios),
    cpuRatio: Number.isNaN(cpuRatio) ? undefined : cpuRatio,
    detail: {
      oursCpuMicros: oursCpu,
      bareCpuMicros: bareCpu,
      oursLowCpuMicros: percentile(
        ours.map((round) => round.cpuMicrosPerRequest),
        0.25,
      ),
      bareLowCpuMicros: percentile(
        bare.map((round) => round.cpuMicrosPerRequest),
        0.25,
      ),
      lowestRatio: Math.min(...ratios),
      highestRatio: Math.max(...ratios),
      bodyBytes: Math.round(last.bodyBytes / last.requests),
      oursP50Ms: median(ours.map((round) => round.p50Ms)),
      oursP99Ms: median(ours.map((round) => round.p99Ms)),
      bareP50Ms: median(bare.map((round) => round.p50Ms)),
      bareP99Ms: median(bare.map((round) => round.p99Ms)),
      oursMainMicros: median(ours.map((round) => round.mainMicrosPerRequest)),
      bareMainMicros: median(bare.map((round) => round.mainMicrosPerRequest)),
      clientMicros: median(ours.map((round) => round.clientMicros)),
      warmUpSteps,
      clientBusyOurs: median(ours.map((round) => round.busy)),
      clientBusyBare: median(bare.map((round) => round.busy)),
    },
  };
}
