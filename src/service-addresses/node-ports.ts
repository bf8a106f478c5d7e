import type { PortRange } from './service-ranges.ts';

export interface PortOwner {
  readonly uid: string;
  readonly ports: readonly number[];
}

/** Who has which node port. It is known from the stored services, so nothing else has to be kept. */
export class NodePorts {
  readonly range: PortRange;
  readonly #owners = new Map<number, string>();
  readonly #random: () => number;

  constructor(range: PortRange, random: () => number) {
    this.range = range;
    this.#random = random;
  }

  /** What the stored services have. */
  load(owners: readonly PortOwner[]): void {
    for (const { uid, ports } of owners) for (const port of ports) this.#owners.set(port, uid);
  }

  has(port: number): boolean {
    return this.#owners.has(port);
  }

  /** Says why not; undefined when the port is the owner's now. */
  take(port: number, uid: string): string | undefined {
    const { first, last } = this.range;
    if (port < first || port > last) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    if (this.#owners.has(port)) return 'provided port is already allocated';
    this.#owners.set(port, uid);
    return undefined;
  }

  /** Undefined when there is none left. */
  takeAny(uid: string): number | undefined {
    const { first, last } = this.range;
    const low = first + lowBand(last - first + 1);
    const port = this.#free(low, last) ?? this.#free(first, low - 1);
    if (port !== undefined) this.#owners.set(port, uid);
    return port;
  }

  #free(first: number, last: number): number | undefined {
    const size = last - first + 1;
    const offset = Math.floor(this.#random() * size);
    for (let step = 0; step < size; step++) {
      const port = first + ((offset + step) % size);
      if (!this.#owners.has(port)) return port;
    }
    return undefined;
  }

  /** Nothing happens when it belongs to another by now. */
  release(port: number, uid: string): void {
    if (this.#owners.get(port) === uid) this.#owners.delete(port);
  }
}

/** How many of the first ports are kept for explicit requests. */
function lowBand(size: number): number {
  if (size < 16) return 0;
  return Math.min(Math.max(Math.floor(size / 32), 16), 128);
}
