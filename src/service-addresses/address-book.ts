import type { ResourceObject } from '../meta/object.ts';
import { StatusError } from '../meta/status-error.ts';
import type { ResourceSet } from '../registry/index.ts';
import { ipText, parseCidr, parseIp } from '../resources/validation/addresses.ts';
import type { AddressFamily } from './address-family.ts';
import { AddressObjects, type Claim, type ServiceName } from './address-objects.ts';
import { AddressPool } from './address-pool.ts';
import type { ServiceRanges } from './service-ranges.ts';

interface ServiceCidr extends ResourceObject {
  readonly spec?: { readonly cidrs?: readonly string[] };
  readonly status?: { readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] };
}

export interface AddressOwner extends Claim {
  readonly ips: readonly string[];
}

/** Why an address cannot be allocated. The message ends the sentence of a field error. */
export class AddressProblem extends Error {}

/**
 * The owner of each address. Every allocated address is also an IPAddress object, and an address with such an object
 * cannot be allocated again. The object is written before its service and removed after it. `load` repairs what a crash
 * between the two writes has left.
 */
export class AddressBook {
  readonly #resources: ResourceSet;
  readonly #own: readonly AddressPool[];
  readonly #objects: AddressObjects;
  readonly #random: () => number;
  /** The uid of the service, by address. Deleting an IPAddress object by hand does not free its address. */
  readonly #owners = new Map<string, string>();

  constructor(resources: ResourceSet, { cidrs }: ServiceRanges, random: () => number) {
    this.#resources = resources;
    this.#own = cidrs.map((cidr) => new AddressPool(cidr));
    this.#objects = new AddressObjects(resources);
    this.#random = random;
  }

  /**
   * Reads the addresses of the stored services. Must be called before any address is taken. The addresses of unreadable
   * services are unknown, so their IPAddress objects are kept.
   */
  async load(owners: readonly AddressOwner[], unreadable: readonly ServiceName[]): Promise<void> {
    this.#owners.clear();
    for (const { uid, ips } of owners) for (const ip of ips) this.#owners.set(canonicalAddress(ip), uid);
    const isUnreadable = (parent: ServiceName): boolean =>
      unreadable.some(({ namespace, name }) => namespace === parent.namespace && name === parent.name);
    await this.#objects.removeAllBut((ip, parent) => this.#owners.has(ip) || isUnreadable(parent));
    for (const owner of owners) for (const ip of owner.ips) await this.#objects.create(canonicalAddress(ip), owner);
  }

  /** Throws an AddressProblem. A dry run only checks. */
  async take(text: string, claim: Claim, { dryRun }: { readonly dryRun: boolean }): Promise<void> {
    const address = parseIp(text);
    const pools = await this.#pools();
    if (address === undefined || !pools.some((pool) => pool.has(address))) {
      throw new AddressProblem('the provided network does not match the current range');
    }
    const ip = ipText(address);
    const isFree = dryRun ? !this.#owners.has(ip) : await this.#claim(ip, claim);
    if (!isFree) throw new AddressProblem('provided IP is already allocated');
  }

  /** Takes any free address of the family. Throws an AddressProblem. */
  async takeAny(family: AddressFamily, claim: Claim, { dryRun }: { readonly dryRun: boolean }): Promise<string> {
    const pools = (await this.#pools()).filter(({ cidr }) => cidr.address.family === family);
    for (const pool of pools) {
      if (dryRun) return pool.network;
      for (const ip of pool.candidates(this.#random)) {
        if (await this.#claim(ip, claim)) return ip;
      }
    }
    throw new AddressProblem('range is full');
  }

  /** Does nothing when the address belongs to another service. */
  async release(text: string, claim: Claim): Promise<void> {
    const ip = canonicalAddress(text);
    if (this.#owners.get(ip) !== claim.uid) return;
    await this.#objects.remove(ip, claim);
    this.#owners.delete(ip);
  }

  /** For a deleted service whose addresses are unknown because it could not be read. */
  async releaseAllOf({ namespace, name }: ServiceName): Promise<void> {
    await this.#objects.removeAllBut(
      (ip, parent) => this.#owners.has(ip) || parent.namespace !== namespace || parent.name !== name,
    );
  }

  /** Returns false when the address is taken. */
  async #claim(ip: string, claim: Claim): Promise<boolean> {
    if (this.#owners.has(ip)) return false;
    this.#owners.set(ip, claim.uid);
    try {
      if (await this.#objects.create(ip, claim)) return true;
    } catch (error) {
      this.#owners.delete(ip);
      throw error instanceof StatusError && error.status.code === 422 ? new AddressProblem(error.message) : error;
    }
    this.#owners.delete(ip);
    return false;
  }

  /** The ranges of the server and those of ServiceCIDR objects. */
  async #pools(): Promise<readonly AddressPool[]> {
    const type = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' };
    if (this.#resources.find(type) === undefined) return this.#own;
    const added = ((await this.#resources.list(type, '')) as ServiceCidr[])
      .filter(
        ({ metadata, status }) => metadata.name !== 'kubernetes' && !metadata.deletionTimestamp && isReady(status),
      )
      .flatMap(({ spec }) => spec?.cidrs ?? [])
      .flatMap((text) => parseCidr(text) ?? []);
    return added.length === 0 ? this.#own : [...this.#own, ...added.map((cidr) => new AddressPool(cidr))];
  }
}

/** A range without a Ready condition counts as ready, because there may be no controller that sets the condition. */
function isReady(status: ServiceCidr['status']): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'True';
}

function canonicalAddress(text: string): string {
  const address = parseIp(text);
  return address === undefined ? text : ipText(address);
}
