import { StatusError } from '../meta/status-error.ts';
import type { AddressClaims, ClaimResult } from './address-claims.ts';
import type { AddressObjects, Claim, ServiceName } from './address-objects.ts';

/**
 * The addresses of a store that several servers write. The IPAddress objects are the allocation: creating one allocates
 * the address, and deleting it releases the address on all servers at once.
 */
export class SharedAddresses implements AddressClaims {
  readonly #objects: AddressObjects;

  constructor(objects: AddressObjects) {
    this.#objects = objects;
  }

  async isAllocated(ip: string): Promise<boolean> {
    return (await this.#objects.find(ip)) !== undefined;
  }

  /**
   * An explicit request also gets the address if its IPAddress object names the same service: the write that created
   * the object is still running on another server, and at most one of the two will succeed, or it was never finished.
   */
  async claim(ip: string, claim: Claim, { isExplicit }: { readonly isExplicit: boolean }): Promise<ClaimResult> {
    if (!this.#objects.areServed) throw notServed;
    if (await this.#objects.create(ip, claim)) return 'claimed';
    return isExplicit && (await this.#objects.adopt(ip, claim)) ? 'adopted' : 'taken';
  }

  release(ip: string, claim: Claim): Promise<void> {
    return this.#objects.remove(ip, claim);
  }

  async releaseAllOf({ namespace, name }: ServiceName): Promise<void> {
    await this.#objects.removeAllBut((_ip, parent) => parent.namespace !== namespace || parent.name !== name);
  }
}

const message = 'services need addresses: networking.k8s.io/v1 must be served where servers share a store';
const notServed = new StatusError({ code: 500, reason: 'InternalError', message });
