import type { Bench } from './bench.ts';
import { loadRound } from './comparison.ts';
import type { LoadPlan } from './load/load-plan.ts';
import type { Server } from './servers/server.ts';
import { median } from './statistics.ts';

/** Two servers with the part whose cost is asked for, and two without it. */
export interface SlicedServers {
  readonly with: readonly [Server, Server];
  readonly without: readonly [Server, Server];
}

export interface SliceOptions {
  readonly rounds: number;
  /** The requests of one slice. */
  readonly requests: number;
}

export interface SlicedCost {
  /** What the part adds to the processor time of a request, in per cent. */
  readonly cost: number;
  /** What the first server of each kind needs more than the second. They are equal, so it is the noise of the cost. */
  readonly noise: number;
  readonly withMicros: number;
  readonly withoutMicros: number;
}

/**
 * Compares processor times of requests that differ by a few per cent only. The servers take turns of some dozen
 * milliseconds, so that all see the same machine: with, without, without, with. A slice ends when all of its requests are
 * answered, because the time of a thread is exact only when it rests. What else the machine does makes slices more
 * expensive, never cheaper, so the cheapest quarter counts.
 */
export async function compareSlices(
  bench: Bench,
  servers: SlicedServers,
  plan: Omit<LoadPlan, 'limit' | 'pid'>,
  { rounds, requests }: SliceOptions,
): Promise<SlicedCost> {
  const order = [servers.with[0], servers.without[0], servers.without[1], servers.with[1]];
  const micros: number[][] = order.map(() => []);
  // The first rounds are the warm-up: code is compiled and optimized.
  for (let round = -Math.ceil(rounds / 4); round < rounds; round++) {
    for (const [index, server] of order.entries()) {
      const { cpuMicrosPerRequest } = await loadRound(bench, server, { ...plan, limit: { requests } });
      if (round >= 0) micros[index]!.push(cpuMicrosPerRequest);
    }
  }
  const [first = [], second = [], third = [], fourth = []] = micros;
  return {
    cost: percentMore([...first, ...fourth], [...second, ...third]),
    noise: (percentMore(first, fourth) + percentMore(second, third)) / 2,
    withMicros: median([...first, ...fourth]),
    withoutMicros: median([...second, ...third]),
  };
}

function percentMore(values: readonly number[], others: readonly number[]): number {
  return (cheapest(values) / cheapest(others) - 1) * 100;
}

/** The mean of the lowest quarter. */
function cheapest(values: readonly number[]): number {
  const low = [...values].sort((a, b) => a - b).slice(0, Math.ceil(values.length / 4));
  return low.reduce((sum, value) => sum + value, 0) / low.length;
}
