import type { LeaseTimings } from '../controllers/index.ts';

/** The timings of servers that share a store. All of them must use the same. */
export interface SharingTimings {
  /** Of the leases for work that one server does at a time. */
  readonly election?: Partial<LeaseTimings>;
  /** Of the lease by which each server is known to be alive. */
  readonly presence?: { readonly durationSeconds: number; readonly renewMs: number };
  /** How often addresses and node ports are repaired, and how long they may be without a service. */
  readonly repair?: { readonly everyMs: number; readonly graceMs: number };
  /** How long all servers have to learn that a namespace or a custom type ends, before its objects are deleted. */
  readonly settleMs?: number;
}

/** As in kube-controller-manager. */
export const defaultSettleMs = 5000;

/** The same for threads of one server, which learn of it at once: for requests that they have admitted before. */
export const threadSettleMs = 500;
