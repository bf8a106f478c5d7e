import { alreadyAllocated, freePort, outsideRange } from './free-port.ts';
import type { PortAllocator } from './port-allocator.ts';
import type { PortRange } from './service-ranges.ts';

export interface PortOwner {
  readonly uid: string;
  readonly ports: readonly number[];
}

/**
 * The owner of each node port, for the only server of a store. Node ports are read from the stored services, so they
 * need no separate objects.
 */
export class NodePorts implements PortAllocator {
  readonly range: PortRange;
  readonly #owners = new Map<number, string>();
  readonly #random: () => number;

  constructor(range: PortRange, random: () => number) {
    this.range = range;
    this.#random = random;
  }

  /** Replaces all owners by those of the stored services. */
  load(owners: readonly PortOwner[]): void {
    this.#owners.clear();
    for (const { uid, ports } of owners) for (const port of ports) this.#owners.set(port, uid);
  }

  has(port: number): boolean {
    return this.#owners.has(port);
  }

  allocate(port: number, uid: string): string | undefined {
    const outside = outsideRange(port, this.range);
    if (outside !== undefined) return outside;
    if (this.#owners.has(port)) return alreadyAllocated;
    this.#owners.set(port, uid);
    return undefined;
  }

  allocateNext(uid: string): number | undefined {
    const port = freePort(this.range, (candidate) => this.#owners.has(candidate), this.#random);
    if (port !== undefined) this.#owners.set(port, uid);
    return port;
  }

  release(port: number, uid: string): void {
    if (this.#owners.get(port) === uid) this.#owners.delete(port);
  }
}
