import type { ResourceSet } from '../registry/index.ts';
import type { AddressObjects, ManagedAddress, ServiceName } from './address-objects.ts';
import { currentUsage, type ServiceUsage, services, usageOf } from './service-usage.ts';
import type { SharedNodePorts } from './shared-node-ports.ts';

export interface ServiceRepairOptions {
  readonly resources: ResourceSet;
  readonly objects: AddressObjects;
  readonly ports: SharedNodePorts;
  /** Called for an address that two services have. */
  readonly report: (error: Error) => void;
}

/**
 * Repairs the addresses and node ports of a store that several servers write. A server that crashes between two writes
 * leaves an address or a port without a service. Only one server at a time may run this.
 */
export class ServiceRepair {
  readonly #options: ServiceRepairOptions;
  /** The time since when this server has seen an address or port without a service, in milliseconds. */
  #orphans = new Map<string, number>();

  constructor(options: ServiceRepairOptions) {
    this.#options = options;
  }

  /**
   * Allocates addresses and ports that stored services use without an allocation. Safe on several servers at the same
   * time.
   */
  async complete(): Promise<void> {
    const { resources, objects } = this.#options;
    // The services are read first: an allocation that is missing afterwards was missing when the service was already
    // stored.
    const usage = await currentUsage(resources);
    await this.#add(usage, await objects.all());
    await this.#allocatePorts(usage.flatMap((service) => service.ports));
  }

  /**
   * Like `complete`, and releases addresses and ports that have had no service for the grace period. Until then, the
   * write that allocated them may still be running on any server. The period is measured by this server, because the
   * clocks of servers differ.
   */
  async round(graceMs: number): Promise<void> {
    const { resources, objects, ports } = this.#options;
    const allocated = await ports.allocated();
    const addresses = await objects.all();
    const unreadable = await resources.unreadable(services);
    const usage = await currentUsage(resources);
    await this.#add(usage, addresses);
    const usedPorts = new Set(usage.flatMap((service) => service.ports));
    // The ports of a service that cannot be read are unknown.
    const freePorts = unreadable.length > 0 ? [] : allocated.filter((port) => !usedPorts.has(port));
    const usedIps = new Set(usage.flatMap(({ ips }) => ips));
    const isUnreadable = (parent: ServiceName): boolean => unreadable.some((one) => isSame(one, parent));
    const freeIps = [...addresses.values()].filter(({ ip, parent }) => !usedIps.has(ip) && !isUnreadable(parent));
    const due = this.#due([...freePorts.map(String), ...freeIps.map(idOf)], graceMs);
    for (const address of freeIps) {
      if (due.has(idOf(address)) && !(await this.#isUsed(address))) await objects.removeUnchanged(address);
    }
    const remove = freePorts.filter((port) => due.has(String(port)));
    if (remove.length > 0) await ports.repair({ add: [], remove });
    if ([...usedPorts].some((port) => !allocated.includes(port))) await this.#allocatePorts([...usedPorts]);
  }

  async #add(usage: readonly ServiceUsage[], addresses: ReadonlyMap<string, ManagedAddress>): Promise<void> {
    const { objects, report } = this.#options;
    for (const service of usage) {
      for (const ip of service.ips) {
        const known = addresses.get(ip)?.parent;
        if (known === undefined ? await this.#allocate(ip, service) : isSame(known, service)) continue;
        const owner = known ?? (await objects.find(ip));
        if (owner !== undefined && !isSame(owner, service) && (await this.#isUsed({ ip, parent: service }))) {
          const [one, other] = [service, owner].map(({ namespace, name }) => `${namespace}/${name}`);
          report(new Error(`the address ${ip} of the service ${one} belongs to ${other}`));
        }
      }
    }
  }

  /** Returns false when the address is taken. */
  async #allocate(ip: string, service: ServiceUsage): Promise<boolean> {
    const { objects } = this.#options;
    if (!(await objects.create(ip, service))) return false;
    // The service may have been deleted, and its address released, since it was read.
    if (!(await this.#isUsed({ ip, parent: service }))) await objects.remove(ip, service);
    return true;
  }

  /** Takes the ports, except those of services that have been deleted since. */
  async #allocatePorts(wanted: readonly number[]): Promise<void> {
    const { ports, resources } = this.#options;
    const added = await ports.repair({ add: wanted, remove: [] });
    if (added.length === 0) return;
    // Other servers cannot have allocated these in the meantime.
    const used = new Set((await currentUsage(resources)).flatMap((service) => service.ports));
    await ports.repair({ add: [], remove: added.filter((port) => !used.has(port)) });
  }

  /** Whether the service has the address now. */
  async #isUsed({ ip, parent }: { readonly ip: string; readonly parent: ServiceName }): Promise<boolean> {
    const service = await this.#options.resources.current.get(services, parent);
    return service !== undefined && usageOf(service).ips.includes(ip);
  }

  #due(present: readonly string[], graceMs: number): ReadonlySet<string> {
    const now = performance.now();
    this.#orphans = new Map(present.map((id) => [id, this.#orphans.get(id) ?? now]));
    return new Set(present.filter((id) => now - this.#orphans.get(id)! >= graceMs));
  }
}

/** The id includes the version, because an address that was claimed again counts as another one. */
function idOf({ ip, resourceVersion }: ManagedAddress): string {
  return `${ip} ${resourceVersion}`;
}

function isSame(left: ServiceName, right: ServiceName): boolean {
  return left.namespace === right.namespace && left.name === right.name;
}
