import type { AddressClaims, ClaimResult } from './address-claims.ts';
import type { AddressObjects, Claim, ServiceName } from './address-objects.ts';
import { canonicalAddress } from './canonical-address.ts';

export interface AddressOwner extends Claim {
  readonly ips: readonly string[];
}

/**
 * The owners of all addresses, for the only server of a store. Every address of a service is also an IPAddress object,
 * and an address with such an object cannot be allocated again. The object is written before its service and removed
 * after it. `load` repairs what a crash between the two writes has left.
 */
export class OwnedAddresses implements AddressClaims {
  readonly #objects: AddressObjects;
  /** The uid of the service, by address. Deleting an IPAddress object by hand does not free its address. */
  readonly #owners = new Map<string, string>();

  constructor(objects: AddressObjects) {
    this.#objects = objects;
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

  isAllocated(ip: string): boolean {
    return this.#owners.has(ip);
  }

  async claim(ip: string, claim: Claim): Promise<ClaimResult> {
    if (this.#owners.has(ip)) return 'taken';
    this.#owners.set(ip, claim.uid);
    let isCreated = false;
    try {
      isCreated = await this.#objects.create(ip, claim);
    } finally {
      if (!isCreated) this.#owners.delete(ip);
    }
    return isCreated ? 'claimed' : 'taken';
  }

  async release(ip: string, claim: Claim): Promise<void> {
    if (this.#owners.get(ip) !== claim.uid) return;
    await this.#objects.remove(ip, claim);
    this.#owners.delete(ip);
  }

  async releaseAllOf({ namespace, name }: ServiceName): Promise<void> {
    await this.#objects.removeAllBut(
      (ip, parent) => this.#owners.has(ip) || parent.namespace !== namespace || parent.name !== name,
    );
  }
}
