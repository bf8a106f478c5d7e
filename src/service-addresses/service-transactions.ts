import type { FieldError } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { invalid } from '../meta/status-error.ts';
import type { ResourceSet } from '../registry/index.ts';
import type { FinishTransaction, ObjectTransactions, TransactionOptions } from '../registry/object-transactions.ts';
import {
  headlessIp,
  needsHealthCheckNodePort,
  type ServiceSpec,
  specOf,
} from '../resources/core/service/service-spec.ts';
import { AddressBook } from './address-book.ts';
import type { Claim } from './address-objects.ts';
import { AddressOperation } from './address-operation.ts';
import { settleFamilies } from './ip-families.ts';
import { NodePorts } from './node-ports.ts';
import { PortOperation } from './port-operation.ts';
import { takePorts, updatePorts } from './service-ports.ts';
import { familiesOf, type PortRange, type ServiceRanges } from './service-ranges.ts';

const services = { group: '', version: 'v1', resource: 'services' };

export interface ServiceTransactionOptions {
  readonly resources: ResourceSet;
  readonly ranges: ServiceRanges;
  readonly nodePorts: PortRange;
  /** Returns a number in [0, 1). */
  readonly random?: () => number;
}

/** Allocates cluster IPs and node ports of services when they are written, and releases them afterwards. */
export class ServiceTransactions implements ObjectTransactions {
  readonly #options: ServiceTransactionOptions;
  readonly #addresses: AddressBook;
  readonly #ports: NodePorts;
  #loaded: Promise<void> | undefined = undefined;

  constructor(options: ServiceTransactionOptions) {
    const { resources, ranges, nodePorts, random = Math.random } = options;
    this.#options = options;
    this.#addresses = new AddressBook(resources, ranges, random);
    this.#ports = new NodePorts(nodePorts, random);
  }

  async beginCreate(object: ResourceObject, { dryRun }: TransactionOptions): Promise<FinishTransaction> {
    const spec = specOf(object);
    this.#settle(object, undefined);
    await this.#load();
    return this.#run(object, dryRun, async (addresses, ports) => {
      await addresses.takeAll(spec);
      takePorts(object, ports);
    });
  }

  async beginUpdate(
    { next, oldObject }: { readonly next: ResourceObject; readonly oldObject: ResourceObject },
    { dryRun }: TransactionOptions,
  ): Promise<FinishTransaction> {
    this.#settle(next, specOf(oldObject));
    await this.#load();
    return this.#run(next, dryRun, async (addresses, ports) => {
      await addresses.update(specOf(next), specOf(oldObject));
      updatePorts(next, specOf(oldObject), ports);
    });
  }

  async afterDelete(object: ResourceObject): Promise<void> {
    const spec = specOf(object);
    const claim = claimOf(object);
    await this.#load();
    for (const port of nodePortsOf(spec)) this.#ports.release(port, claim.uid);
    for (const ip of addressesOf(spec)) await this.#addresses.release(ip, claim);
  }

  async afterUnreadableDelete(item: { readonly namespace: string; readonly name: string }): Promise<void> {
    await this.#load();
    await this.#addresses.releaseAllOf(item);
  }

  #settle(object: ResourceObject, before: ServiceSpec | undefined): void {
    const errors = settleFamilies(specOf(object), before, familiesOf(this.#options.ranges));
    if (errors.length > 0) throw refused(object, errors);
  }

  async #run(
    object: ResourceObject,
    dryRun: boolean,
    take: (addresses: AddressOperation, ports: PortOperation) => Promise<void>,
  ): Promise<FinishTransaction> {
    const claim = claimOf(object);
    const ports = new PortOperation(this.#ports, { uid: claim.uid, dryRun });
    const addresses = new AddressOperation(this.#addresses, { claim, dryRun });
    const finish: FinishTransaction = (outcome) => {
      ports.finish(outcome);
      return addresses.finish(outcome);
    };
    try {
      await take(addresses, ports);
      return finish;
    } catch (error) {
      await finish({ committed: false });
      throw error;
    }
  }

  /** Reads the stored services before the first write. All writes of services pass through here, so none is missed. */
  #load(): Promise<void> {
    this.#loaded ??= this.#read().catch((error) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #read(): Promise<void> {
    const stored = await this.#options.resources.list(services, '');
    this.#ports.load(stored.map((object) => ({ uid: claimOf(object).uid, ports: nodePortsOf(specOf(object)) })));
    const owners = stored.map((object) => ({ ...claimOf(object), ips: addressesOf(specOf(object)) }));
    await this.#addresses.load(owners, await this.#options.resources.unreadable(services));
  }
}

function claimOf({ metadata: { uid = '', namespace = '', name = '' } }: ResourceObject): Claim {
  return { uid, namespace, name };
}

function addressesOf({ type, clusterIPs = [] }: ServiceSpec): readonly string[] {
  return type === 'ExternalName' || clusterIPs[0] === headlessIp ? [] : clusterIPs;
}

function nodePortsOf(spec: ServiceSpec): number[] {
  const ports = (spec.ports ?? []).flatMap(({ nodePort }) => nodePort || []);
  const { healthCheckNodePort } = spec;
  return healthCheckNodePort && needsHealthCheckNodePort(spec) ? [...ports, healthCheckNodePort] : ports;
}

function refused({ metadata: { name = '' } }: ResourceObject, errors: readonly FieldError[]): Error {
  return invalid({ group: '', kind: 'Service' }, name, errors);
}
