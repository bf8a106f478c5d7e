import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Claim, ServiceName } from './address-objects.ts';

/**
 * How a claim has ended. An adopted address had been claimed for the same service already. Another write may rely on
 * it, so it must not be released when this one fails.
 */
export type ClaimResult = 'taken' | 'claimed' | 'adopted';

/** The owners of addresses. Addresses are in canonical form. */
export interface AddressClaims {
  isAllocated(ip: string): MaybePromise<boolean>;
  /** An explicit request names the address. Rejects with a StatusError. */
  claim(ip: string, claim: Claim, options: { readonly isExplicit: boolean }): Promise<ClaimResult>;
  /** Does nothing when the address belongs to another service. */
  release(ip: string, claim: Claim): Promise<void>;
  /** Releases the addresses of a deleted service. They are unknown, because the service could not be read. */
  releaseAllOf(service: ServiceName): Promise<void>;
}
