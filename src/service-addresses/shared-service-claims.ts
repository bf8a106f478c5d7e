import type { ResourceSet } from '../registry/index.ts';
import type { Storage } from '../storage/index.ts';
import { AddressObjects } from './address-objects.ts';
import type { PortRange } from './service-ranges.ts';
import { ServiceRepair } from './service-repair.ts';
import { currentUsage } from './service-usage.ts';
import { SharedAddresses } from './shared-addresses.ts';
import { SharedNodePorts } from './shared-node-ports.ts';

export interface SharedServiceClaimsOptions {
  readonly resources: ResourceSet;
  /** The storage, which other servers also write. */
  readonly storage: Storage;
  readonly nodePorts: PortRange;
  readonly random?: () => number;
  /** Called for an address that two services have, and when an allocation could not be released. */
  readonly report: (error: Error) => void;
}

/** The addresses and node ports that the services of a shared store have taken. */
export class SharedServiceClaims {
  readonly addresses: SharedAddresses;
  readonly ports: SharedNodePorts;
  readonly repair: ServiceRepair;
  /** Called for problems that will be repaired. */
  readonly report: (error: Error) => void;

  constructor({ resources, storage, nodePorts, random = Math.random, report }: SharedServiceClaimsOptions) {
    const objects = new AddressObjects(resources, { isShared: true });
    const storedPorts = async (): Promise<number[]> => (await currentUsage(resources)).flatMap(({ ports }) => ports);
    this.report = report;
    this.addresses = new SharedAddresses(objects);
    this.ports = new SharedNodePorts({ storage, range: nodePorts, random, storedPorts });
    this.repair = new ServiceRepair({ resources, objects, ports: this.ports, report });
  }

  /** Must be called before anything is allocated. */
  async load(): Promise<void> {
    await this.ports.claimRange();
    await this.repair.complete();
  }
}
