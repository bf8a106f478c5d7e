import type { PortRange } from './service-ranges.ts';

/**
 * Finds any free port, or undefined. The low ports are reserved for explicit requests as long as others are free.
 * `random` returns a number in [0, 1).
 */
export function freePort(
  { first, last }: PortRange,
  isAllocated: (port: number) => boolean,
  random: () => number,
): number | undefined {
  const low = first + lowBand(last - first + 1);
  return (
    freeWithin({ first: low, last }, isAllocated, random) ?? freeWithin({ first, last: low - 1 }, isAllocated, random)
  );
}

function freeWithin(
  { first, last }: PortRange,
  isAllocated: (port: number) => boolean,
  random: () => number,
): number | undefined {
  const size = last - first + 1;
  const offset = Math.floor(random() * size);
  for (let step = 0; step < size; step++) {
    const port = first + ((offset + step) % size);
    if (!isAllocated(port)) return port;
  }
  return undefined;
}

/** Returns why the port is outside of the range. Undefined if it is inside. */
export function outsideRange(port: number, { first, last }: PortRange): string | undefined {
  if (port >= first && port <= last) return undefined;
  return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
}

export const alreadyAllocated = 'provided port is already allocated';

/** The number of low ports that are reserved for explicit requests. */
function lowBand(size: number): number {
  if (size < 16) return 0;
  return Math.min(Math.max(Math.floor(size / 32), 16), 128);
}
