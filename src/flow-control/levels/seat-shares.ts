import type { PriorityLevelConfiguration } from '../../resources/flowcontrol/priority-level-types.ts';

/** The seats of a level according to its share, and the limits of lending and borrowing. */
export interface SeatShare {
  readonly nominal: number;
  /** The minimum number of seats, after lending. */
  readonly lowest: number;
  /** The maximum number of seats, with borrowing. */
  readonly highest: number;
}

const defaultShares = 30;

/** Divides the seats of a server among its levels, according to their configurations. */
export function seatShares(levels: readonly PriorityLevelConfiguration[], serverSeats: number): SeatShare[] {
  const shares = levels.map(sharesOf);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const nominals = shares.map((share) => (total === 0 ? 0 : Math.ceil((serverSeats * share) / total)));
  const all = nominals.reduce((sum, nominal) => sum + nominal, 0);
  return levels.map(({ spec = {} }, index) => {
    const nominal = nominals[index]!;
    const { lendablePercent = 0, borrowingLimitPercent } = { ...spec.exempt, ...spec.limited };
    return {
      nominal,
      lowest: nominal - Math.round((nominal * lendablePercent) / 100),
      highest:
        borrowingLimitPercent === undefined ? all : nominal + Math.round((nominal * borrowingLimitPercent) / 100),
    };
  });
}

function sharesOf({ spec = {} }: PriorityLevelConfiguration): number {
  if (spec.type === 'Exempt') return spec.exempt?.nominalConcurrencyShares ?? 0;
  return spec.limited?.nominalConcurrencyShares ?? defaultShares;
}
