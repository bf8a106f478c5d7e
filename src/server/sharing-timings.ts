import type { LeaseTimings } from '../controllers/index.ts';

/** The timings of servers that share a store. All servers must use the same values. */
export interface SharingTimings {
  /** The timings of leases for work that one server does at a time. */
  readonly election?: Partial<LeaseTimings>;
  /** The timings of the lease with which a server shows that it is alive. */
  readonly presence?: { readonly durationSeconds: number; readonly renewMs: number };
  /** How often addresses and node ports are repaired, and how long they may be without a service. */
  readonly repair?: { readonly everyMs: number; readonly graceMs: number };
  /**
   * The time until all servers have noticed the deletion of a namespace or a custom type, before its objects are
   * deleted.
   */
  readonly settleMs?: number;
}

/** The default of kube-controller-manager. */
export const defaultSettleMs = 5000;
