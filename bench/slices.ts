import type { Bench } from './bench.ts';
import { loadRound } from './comparison.ts';
import type { LoadPlan } from './load/load-plan.ts';
import type { Server } from './servers/server.ts';
import { median } from './statistics.ts';

/** The rounds in which code is compiled and optimized. */
const warmUpRounds = 60;

/** Two servers with the part whose cost is measured, and two without it. */
export interface SlicedServers {
  readonly with: readonly [Server, Server];
  readonly without: readonly [Server, Server];
}

export interface SliceOptions {
  readonly rounds: number;
  /** The requests of one slice. */
  readonly requests: number;
}

/** Processor times of neighbouring slices, in microseconds per request. */
export interface SlicePairs {
  readonly with: readonly number[];
  readonly without: readonly number[];
}

export interface SlicedCost {
  /** The increase of the CPU time of a request due to the part, in per cent. */
  readonly cost: number;
  /** The standard error of the cost, in per cent. */
  readonly error: number;
}

/**
 * Uses the median of the ratios of all pairs, because the speed of the machine varies by more than the measured cost.
 */
export function costOf(pairs: SlicePairs): SlicedCost {
  const ratios = pairs.with.map((each, index) => each / pairs.without[index]!);
  const ratio = median(ratios);
  const deviation = 1.4826 * median(ratios.map((each) => Math.abs(each - ratio)));
  // The error is that of the median of values with a normal distribution.
  return { cost: (ratio - 1) * 100, error: (1.2533 * deviation * 100) / Math.sqrt(ratios.length) };
}

/**
 * Measures differences of a few per cent in the CPU time of requests. The servers take turns of some milliseconds:
 * with, without, without, with. A slice ends when all of its requests are answered, because the CPU time of a thread is
 * exact only while it is idle.
 */
export async function slicePairs(
  bench: Bench,
  servers: SlicedServers,
  plan: Omit<LoadPlan, 'limit' | 'pid'>,
  { rounds, requests }: SliceOptions,
): Promise<SlicePairs> {
  const order = [servers.with[0], servers.without[0], servers.without[1], servers.with[1]];
  const pairs = { with: [] as number[], without: [] as number[] };
  for (let round = -warmUpRounds; round < rounds; round++) {
    const micros: number[] = [];
    for (const server of order) {
      const { cpuMicrosPerRequest } = await loadRound(bench, server, { ...plan, limit: { requests } });
      micros.push(cpuMicrosPerRequest);
    }
    if (round < 0) continue;
    pairs.with.push(micros[0]!, micros[3]!);
    pairs.without.push(micros[1]!, micros[2]!);
  }
  return pairs;
}
