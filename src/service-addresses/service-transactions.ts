import type { FieldError } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { invalid } from '../meta/status-error.ts';
import type { ResourceSet } from '../registry/index.ts';
import type { FinishTransaction, ObjectTransactions, TransactionOptions } from '../registry/object-transactions.ts';
import { specOf } from '../resources/core/service/service-spec.ts';
import type { ServiceSpec } from '../resources/core/service-types.ts';
import { AddressAllocator } from './address-allocator.ts';
import { AddressObjects } from './address-objects.ts';
import { AddressOperation } from './address-operation.ts';
import { assignFamilies } from './ip-families.ts';
import { NodePorts } from './node-ports.ts';
import { OwnedAddresses } from './owned-addresses.ts';
import type { PortAllocator } from './port-allocator.ts';
import { PortOperation } from './port-operation.ts';
import { allocatePorts, updatePorts } from './service-ports.ts';
import { familiesOf, type PortRange, type ServiceRanges } from './service-ranges.ts';
import { addressesOf, claimOf, nodePortsOf, type ServiceUsage, services, usageOf } from './service-usage.ts';
import type { SharedServiceClaims } from './shared-service-claims.ts';

export interface ServiceTransactionOptions {
  readonly resources: ResourceSet;
  readonly ranges: ServiceRanges;
  readonly nodePorts: PortRange;
  /** Set if other servers also allocate. Undefined for the only server of a store. */
  readonly shared?: SharedServiceClaims | undefined;
  /** Returns a number in [0, 1). */
  readonly random?: () => number;
}

/** Allocates cluster IPs and node ports of services when they are written, and releases them afterwards. */
export class ServiceTransactions implements ObjectTransactions {
  readonly #options: ServiceTransactionOptions;
  readonly #addresses: AddressAllocator;
  readonly #ports: PortAllocator;
  readonly #readStored: () => Promise<void>;
  #loaded: Promise<void> | undefined = undefined;

  constructor(options: ServiceTransactionOptions) {
    const { resources, ranges, nodePorts, random = Math.random, shared } = options;
    this.#options = options;
    if (shared === undefined) {
      const ports = new NodePorts(nodePorts, random);
      const claims = new OwnedAddresses(new AddressObjects(resources, { isShared: false }));
      this.#ports = ports;
      this.#addresses = new AddressAllocator(resources, { ranges, claims, random });
      this.#readStored = () => loadOwned(resources, claims, ports);
    } else {
      this.#ports = shared.ports;
      this.#addresses = new AddressAllocator(resources, { ranges, claims: shared.addresses, random });
      this.#readStored = () => shared.load();
    }
  }

  async beginCreate(object: ResourceObject, options: TransactionOptions): Promise<FinishTransaction> {
    const spec = specOf(object);
    this.#settle(object, undefined);
    await this.#load();
    return this.#run(object, options, async (addresses, ports) => {
      await addresses.allocateAll(spec);
      await allocatePorts(object, ports);
    });
  }

  async beginUpdate(
    { next, oldObject }: { readonly next: ResourceObject; readonly oldObject: ResourceObject },
    options: TransactionOptions,
  ): Promise<FinishTransaction> {
    this.#settle(next, specOf(oldObject));
    await this.#load();
    return this.#run(next, options, async (addresses, ports) => {
      await addresses.update(specOf(next), specOf(oldObject));
      await updatePorts(next, specOf(oldObject), ports);
    });
  }

  async afterDelete(object: ResourceObject): Promise<void> {
    const spec = specOf(object);
    const claim = claimOf(object);
    await this.#load();
    await this.#released(async () => {
      for (const port of nodePortsOf(spec)) await this.#ports.release(port, claim.uid);
      for (const ip of addressesOf(spec)) await this.#addresses.release(ip, claim);
    });
  }

  storeChanged(): void {
    this.#loaded = undefined;
  }

  async afterUnreadableDelete(item: { readonly namespace: string; readonly name: string }): Promise<void> {
    await this.#load();
    await this.#addresses.releaseAllOf(item);
  }

  #settle(object: ResourceObject, before: ServiceSpec | undefined): void {
    const errors = assignFamilies(specOf(object), before, familiesOf(this.#options.ranges));
    if (errors.length > 0) throw refused(object, errors);
  }

  async #run(
    object: ResourceObject,
    { dryRun }: TransactionOptions,
    allocate: (addresses: AddressOperation, ports: PortOperation) => Promise<void>,
  ): Promise<FinishTransaction> {
    const claim = claimOf(object);
    const ports = new PortOperation(this.#ports, { uid: claim.uid, dryRun });
    const addresses = new AddressOperation(this.#addresses, { claim, dryRun });
    const finish: FinishTransaction = (outcome) =>
      this.#released(async () => {
        const { ips, ports: kept } = outcome.committed || dryRun ? nothing : await this.#stillUsed(object);
        await ports.finish(outcome, (port) => kept.includes(port));
        await addresses.finish(outcome, (ip) => ips.includes(ip));
      });
    try {
      await allocate(addresses, ports);
      return finish;
    } catch (error) {
      await finish({ committed: false });
      throw error;
    }
  }

  /**
   * In a shared store, the next repair finds allocations that could not be released. The result of the write is not
   * affected.
   */
  async #released(release: () => Promise<void>): Promise<void> {
    const { shared } = this.#options;
    if (shared === undefined) return release();
    await release().catch(shared.report);
  }

  /**
   * The addresses and ports of the stored service after a failed write: the store may have failed after the write, or
   * another server may have written the same.
   */
  async #stillUsed(object: ResourceObject): Promise<Pick<ServiceUsage, 'ips' | 'ports'>> {
    if (this.#options.shared === undefined) return nothing;
    const { namespace, name } = claimOf(object);
    const stored = await this.#options.resources.current.get(services, { namespace, name });
    return stored === undefined ? nothing : usageOf(stored);
  }

  /** Reads the stored services before the first write. All writes of services pass through here, so none is missed. */
  #load(): Promise<void> {
    this.#loaded ??= this.#readStored().catch((error) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }
}

async function loadOwned(resources: ResourceSet, addresses: OwnedAddresses, ports: NodePorts): Promise<void> {
  const stored = (await resources.list(services, '')).map(usageOf);
  ports.load(stored);
  await addresses.load(stored, await resources.unreadable(services));
}

const nothing: Pick<ServiceUsage, 'ips' | 'ports'> = { ips: [], ports: [] };

function refused({ metadata: { name = '' } }: ResourceObject, errors: readonly FieldError[]): Error {
  return invalid({ group: '', kind: 'Service' }, name, errors);
}
