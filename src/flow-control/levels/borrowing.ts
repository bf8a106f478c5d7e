import type { DemandObservation } from '../queues/seat-demand.ts';
import type { SeatShare } from './seat-shares.ts';

/** The weight of the earlier demand after a period: half of it decays within five minutes. */
const memory = 0.977;

/** The demand of a level for seats: rises at once and falls slowly. */
export class SmoothedDemand {
  highest = 0;
  smoothed = 0;

  add({ average, deviation, highest }: DemandObservation): void {
    this.highest = highest;
    const envelope = Math.min(highest, average + deviation);
    this.smoothed = Math.max(envelope, memory * this.smoothed + (1 - memory) * envelope);
  }
}

export interface Borrower {
  readonly share: SeatShare;
  readonly demand: Pick<SmoothedDemand, 'highest' | 'smoothed'>;
}

export interface Adjustment {
  readonly seats: readonly number[];
  /** The demand of each level. */
  readonly targets: readonly number[];
  /** The fraction of its target that each level gets, before its limits are applied. */
  readonly fairFraction: number;
}

/**
 * Redistributes seats by demand: each level keeps the seats that it needs, and the rest is distributed in proportion to
 * the demand of the others.
 */
export function adjustSeats(levels: readonly Borrower[], seats: number): Adjustment {
  const items = levels.map(({ share: { nominal, lowest, highest }, demand }) => {
    const lower = Math.max(lowest, Math.min(nominal, Math.round(demand.highest)));
    return { lower, upper: Math.max(lower, highest), target: Math.max(lower, demand.smoothed) };
  });
  const at = (fraction: number): number[] =>
    items.map(({ lower, upper, target }) => Math.max(lower, Math.min(upper, fraction * target)));
  const fairFraction = fractionFor(seats, (fraction) => at(fraction).reduce((sum, share) => sum + share, 0));
  return { seats: at(fairFraction).map(Math.round), targets: items.map(({ target }) => target), fairFraction };
}

/** The number of bisection steps. Each step halves the interval. */
const steps = 60;
const maxFraction = 1e6;

/**
 * Returns the fraction at which the sum, which grows with the fraction, has the given value. If there is none, returns
 * the nearer end of the interval.
 */
function fractionFor(sum: number, sumAt: (fraction: number) => number): number {
  if (sumAt(0) >= sum) return 0;
  if (sumAt(maxFraction) <= sum) return maxFraction;
  let low = 0;
  let high = maxFraction;
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) < sum) low = middle;
    else high = middle;
  }
  return high;
}
