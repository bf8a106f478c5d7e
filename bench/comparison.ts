import type { Bench } from './bench.ts';
import { LoadGenerator } from './load/load-generator.ts';
import type { LoadPlan, LoadResult } from './load/load-plan.ts';
import { cpuSeconds } from './servers/cpu-time.ts';
import type { Server } from './servers/server.ts';
import { median } from './statistics.ts';

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

export interface Round extends Omit<LoadResult, 'allRequests'> {
  /** The server's CPU time per request, all threads together. */
  readonly cpuMicrosPerRequest: number;
}

/** Compares two servers by the number of requests they complete. */
export async function compare(bench: Bench, pair: ComparedServers, compared: ComparedLoad): Promise<Comparison> {
  const { rampSeconds } = bench.options;
  return compareTurns(bench, pair, async (server, { name, seconds, isWarmUp }) =>
    loadRound(bench, server, {
      ...compared,
      // A single client makes too few requests to get the code of either server optimized.
      connections: isWarmUp ? Math.max(compared.connections, 16) : compared.connections,
      request: compared.request(name),
      limit: { rampSeconds, seconds },
    }),
  );
}

export async function loadRound(bench: Bench, server: Server, plan: LoadPlan): Promise<Round> {
  const load = await bench.share(LoadGenerator.start);
  const before = cpuSeconds(server.pid);
  const result = await load.run(server.target(plan.protocol), plan);
  const after = cpuSeconds(server.pid);
  const cpu = before === undefined || after === undefined ? Number.NaN : after - before;
  return { ...result, cpuMicrosPerRequest: (cpu * 1e6) / result.allRequests };
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
): Promise<Comparison> {
  const { rounds, roundSeconds, warmUpSeconds } = bench.options;
  const warmUp = { name: 'warm-up', seconds: warmUpSeconds, isWarmUp: true };
  await run(pair.ours, warmUp);
  await run(pair.bare, warmUp);
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
  return summarize(ours, bare);
}

export const rate = ({ requests, seconds }: Round) => requests / seconds;

function summarize(ours: readonly Round[], bare: readonly Round[]): Comparison {
  const ratios = ours.map((result, round) => rate(result) / rate(bare[round]!));
  const last = ours.at(-1)!;
  const oursCpu = median(ours.map((round) => round.cpuMicrosPerRequest));
  const bareCpu = median(bare.map((round) => round.cpuMicrosPerRequest));
  return {
    ours: median(ours.map(rate)),
    bare: median(bare.map(rate)),
    ratio: median(ratios),
    cpuRatio: Number.isNaN(oursCpu) ? undefined : bareCpu / oursCpu,
    detail: {
      oursCpuMicros: oursCpu,
      bareCpuMicros: bareCpu,
      lowestRatio: Math.min(...ratios),
      highestRatio: Math.max(...ratios),
      bodyBytes: Math.round(last.bodyBytes / last.requests),
      oursP50Ms: median(ours.map((round) => round.p50Ms)),
      oursP99Ms: median(ours.map((round) => round.p99Ms)),
      bareP50Ms: median(bare.map((round) => round.p50Ms)),
      bareP99Ms: median(bare.map((round) => round.p99Ms)),
      clientBusyOurs: median(ours.map((round) => round.busy)),
      clientBusyBare: median(bare.map((round) => round.busy)),
    },
  };
}
