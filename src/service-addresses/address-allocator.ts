import { StatusError } from '../meta/status-error.ts';
import type { ResourceSet } from '../registry/index.ts';
import type { ServiceCIDR } from '../resources/networking/service-address-types.ts';
import { cidrText, type IpAddress, ipText, parseCidr, parseIp } from '../resources/validation/addresses.ts';
import type { AddressClaims, ClaimResult } from './address-claims.ts';
import type { AddressFamily } from './address-family.ts';
import type { Claim, ServiceName } from './address-objects.ts';
import { AddressPool } from './address-pool.ts';
import { canonicalAddress } from './canonical-address.ts';
import type { ServiceRanges } from './service-ranges.ts';

export interface AddressAllocatorOptions {
  readonly ranges: ServiceRanges;
  readonly claims: AddressClaims;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

export interface AllocatedAddress {
  readonly ip: string;
  /** Whether it must be released when the write fails. */
  readonly isOwn: boolean;
}

/** Why an address cannot be allocated. The message ends the sentence of a field error. */
export class AddressProblem extends Error {}

/** Allocates the addresses of services. */
export class AddressAllocator {
  readonly #resources: ResourceSet;
  readonly #own: readonly AddressPool[];
  readonly #claims: AddressClaims;
  readonly #random: () => number;

  constructor(resources: ResourceSet, { ranges, claims, random }: AddressAllocatorOptions) {
    this.#resources = resources;
    this.#own = ranges.cidrs.map((cidr) => new AddressPool(cidr));
    this.#claims = claims;
    this.#random = random;
  }

  /** Throws an AddressProblem. A dry run only checks. */
  async allocate(text: string, claim: Claim, { dryRun }: { readonly dryRun: boolean }): Promise<AllocatedAddress> {
    const address = parseIp(text);
    const pools = await this.#pools();
    if (address === undefined || !pools.some((pool) => pool.has(address))) throw outOfRange(address, pools, dryRun);
    const ip = ipText(address);
    const result = dryRun ? await this.#check(ip) : await this.#claim(ip, claim, { isExplicit: true });
    if (result === 'taken') throw new AddressProblem('provided IP is already allocated');
    return { ip: text, isOwn: result === 'claimed' };
  }

  async #check(ip: string): Promise<ClaimResult> {
    return (await this.#claims.isAllocated(ip)) ? 'taken' : 'claimed';
  }

  /** Takes any free address of the family. Throws an AddressProblem. */
  async allocateNext(
    family: AddressFamily,
    claim: Claim,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<AllocatedAddress> {
    const pools = (await this.#pools()).filter(({ cidr }) => cidr.address.family === family);
    for (const pool of pools) {
      if (dryRun) return { ip: pool.network, isOwn: true };
      for (const ip of pool.candidates(this.#random)) {
        if ((await this.#claim(ip, claim, { isExplicit: false })) === 'claimed') return { ip, isOwn: true };
      }
    }
    throw new AddressProblem('range is full');
  }

  /** Does nothing when the address belongs to another service. */
  release(text: string, claim: Claim): Promise<void> {
    return this.#claims.release(canonicalAddress(text), claim);
  }

  /** Releases the addresses of a deleted service. They are unknown, because the service could not be read. */
  releaseAllOf(service: ServiceName): Promise<void> {
    return this.#claims.releaseAllOf(service);
  }

  async #claim(ip: string, claim: Claim, options: { readonly isExplicit: boolean }): Promise<ClaimResult> {
    try {
      return await this.#claims.claim(ip, claim, options);
    } catch (error) {
      throw error instanceof StatusError && error.status.code === 422 ? new AddressProblem(error.message) : error;
    }
  }

  /** The ranges of the server and those of ServiceCIDR objects. */
  async #pools(): Promise<readonly AddressPool[]> {
    const type = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' };
    if (this.#resources.find(type) === undefined) return this.#own;
    const added = ((await this.#resources.list(type, '')) as ServiceCIDR[])
      .filter(
        ({ metadata, status }) => metadata.name !== 'kubernetes' && !metadata.deletionTimestamp && isReady(status),
      )
      .flatMap(({ spec }) => spec?.cidrs ?? [])
      .flatMap((text) => parseCidr(text) ?? []);
    return added.length === 0 ? this.#own : [...this.#own, ...added.map((cidr) => new AddressPool(cidr))];
  }
}

/** A range without a Ready condition counts as ready, because there may be no controller that sets the condition. */
function isReady(status: ServiceCIDR['status']): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'True';
}

/** kube-apiserver looks for the range of the address first, but in a dry run takes the first range. */
function outOfRange(address: IpAddress | undefined, pools: readonly AddressPool[], dryRun: boolean): AddressProblem {
  const range = dryRun ? pools.find(({ cidr }) => cidr.address.family === address?.family) : undefined;
  if (range === undefined) return new AddressProblem('the provided network does not match the current range');
  const text = `the provided IP (${ipText(address!)}) is not in the valid range`;
  return new AddressProblem(`${text}. The range of valid IPs is ${cidrText(range.cidr)}`);
}
