import { ApiError, type Client, isUnreadable, type ResourceClient } from '../client/index.ts';
import type { Clock } from '../meta/clock.ts';
import type { ResourceObject } from '../meta/object.ts';
import { formatMicroTime } from '../meta/time.ts';

export const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

export interface LeaseObject extends ResourceObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export interface LeaseOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly durationSeconds: number;
  /** Whether there are no other candidates, so that any other holder is dead. */
  readonly isAlone: boolean;
  readonly clock: Clock;
}

/** A Lease object that grants one of several processes the right to act. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #resource: ResourceClient<LeaseObject>;
  /**
   * A holder counts as dead when no renewal was observed here for the lease duration. Its own timestamps are not used,
   * because clocks differ.
   */
  #seen = { version: '', at: 0 };

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#resource = options.client.resource<LeaseObject>(leases, options.namespace);
  }

  /** Takes or renews the lease. Returns false when another process holds it or wins a race. */
  async acquire(): Promise<boolean> {
    try {
      const found = await this.#find();
      if (found === undefined) await this.#resource.create({ ...this.#metadata(), spec: this.#spec(undefined) });
      else if (this.#isHeldByOther(found)) return false;
      else await this.#resource.update({ ...found, spec: this.#spec(found) });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 409) return false;
      // There is no other candidate, so an unreadable lease has no holder.
      if (this.#options.isAlone && isUnreadable(error)) return true;
      throw error;
    }
  }

  /** Clears the holder, so that another candidate can take the lease at once. */
  async release(): Promise<void> {
    const found = await this.#find();
    if (found?.spec?.holderIdentity !== this.#options.identity) return;
    const { leaseTransitions = 0 } = found.spec;
    const now = this.#microTime();
    const spec = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    try {
      await this.#resource.update({ ...found, spec });
    } catch (error) {
      // Another candidate holds the lease, or a renewal by this process won the race. In the latter case the lease
      // expires.
      if (!(error instanceof ApiError && error.code === 409)) throw error;
    }
  }

  async #find(): Promise<LeaseObject | undefined> {
    try {
      return await this.#resource.get(this.#options.name);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  #isHeldByOther({ metadata: { resourceVersion = '' }, spec }: LeaseObject): boolean {
    const { identity, isAlone, clock } = this.#options;
    if (!spec?.holderIdentity || spec.holderIdentity === identity || isAlone) return false;
    const now = clock.monotonic();
    if (this.#seen.version !== resourceVersion) this.#seen = { version: resourceVersion, at: now };
    return now < this.#seen.at + (spec.leaseDurationSeconds ?? 0) * 1000;
  }

  #microTime(): string {
    return formatMicroTime(new Date(this.#options.clock.now()));
  }

  #metadata(): ResourceObject {
    return { metadata: { name: this.#options.name, namespace: this.#options.namespace } };
  }

  #spec(before: LeaseObject | undefined): LeaseObject['spec'] {
    const { identity, durationSeconds } = this.#options;
    const now = this.#microTime();
    const isKept = before?.spec?.holderIdentity === identity;
    const transitions = before?.spec?.leaseTransitions ?? 0;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: durationSeconds,
      acquireTime: isKept ? (before.spec?.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: isKept || before === undefined ? transitions : transitions + 1,
    };
  }
}
