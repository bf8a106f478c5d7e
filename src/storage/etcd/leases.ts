import { randomInt } from 'node:crypto';

export interface LeasesOptions {
  /** The first rule whose prefix matches a key applies to it. */
  readonly ttl: readonly TimeToLive[];
  readonly grant: (lease: { readonly id: number; readonly seconds: number }) => Promise<void>;
  /** Called when a lease gets no further keys, with their number. */
  readonly onFilled?: (keys: number) => void;
}

/** Keys with the prefix are deleted when they have not been written for this long. */
export interface TimeToLive {
  readonly prefix: string;
  readonly seconds: number;
}

interface Lease {
  readonly id: number;
  readonly granted: Promise<void>;
  readonly until: number;
  keys: number;
}

const maxReuseSeconds = 60;
const maxReuseShare = 0.05;
const maxKeys = 1000;

/**
 * The leases of keys that expire. A lease is expensive, so keys that are written soon after each other share one. Each
 * key lives at least for its TTL, and longer by at most the time for which a lease is shared.
 */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #current = new Map<TimeToLive, Lease>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** The lease for a write of the key; undefined if the key does not expire. */
  for(key: string): Promise<number> | undefined {
    const rule = this.#options.ttl.find(({ prefix }) => key.startsWith(prefix));
    return rule && this.#lease(rule);
  }

  /** Stops using all current leases for new keys, because one has been lost. */
  discard(): void {
    this.#current.clear();
  }

  async #lease(rule: TimeToLive): Promise<number> {
    let lease = this.#current.get(rule);
    if (lease === undefined || lease.keys >= maxKeys || performance.now() >= lease.until) {
      if (lease !== undefined) this.#options.onFilled?.(lease.keys);
      lease = this.#grant(rule);
      this.#current.set(rule, lease);
    }
    lease.keys += 1;
    await lease.granted;
    return lease.id;
  }

  #grant(rule: TimeToLive): Lease {
    const reuseSeconds = Math.min(maxReuseSeconds, Math.floor(rule.seconds * maxReuseShare));
    // The ID is chosen here, so that a JavaScript number can represent it.
    const id = randomInt(1, 2 ** 48 - 1);
    const seconds = Math.ceil(rule.seconds) + reuseSeconds;
    const granted = this.#options.grant({ id, seconds });
    const lease = { id, granted, until: performance.now() + reuseSeconds * 1000, keys: 0 };
    granted.catch(() => {
      if (this.#current.get(rule) === lease) this.#current.delete(rule);
    });
    return lease;
  }
}
