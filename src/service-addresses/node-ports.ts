import type { PortRange } from './service-ranges.ts';

export interface PortOwner {
  readonly uid: string;
  readonly ports: readonly number[];
}

/** The owner of each node port. Node ports are read from the stored services, so they need no objects of their own. */
export class NodePorts {
  readonly range: PortRange;
  readonly #owners = new Map<number, string>();
  readonly #random: () => number;

  constructor(range: PortRange, random: () => number) {
    this.range = range;
    this.#random = random;
  }

  /** Replaces all owners by those of the stored services. */
  load(owners: readonly PortOwner[]): void {
    for (const { uid, ports } of owners) for (const port of ports) this.#owners.set(port, uid);
  }

  has(port: number): boolean {
    return this.#owners.has(port);
  }

  /** Returns why the port cannot be taken, or undefined on success. */
  take(port: number, uid: string): string | undefined {
    const { first, last } = this.range;
    if (port < first || port > last) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    if (this.#owners.has(port)) return 'provided port is already allocated';
    this.#owners.set(port, uid);
    return undefined;
  }

  /** Returns undefined when no port is free. */
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

  /** Does nothing when the port belongs to another service. */
  release(port: number, uid: string): void {
    if (this.#owners.get(port) === uid) this.#owners.delete(port);
  }
}

/** The number of low ports that are reserved for explicit requests. */
function lowBand(size: number): number {
  if (size < 16) return 0;
  return Math.min(Math.max(Math.floor(size / 32), 16), 128);
}
