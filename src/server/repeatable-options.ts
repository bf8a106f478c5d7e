import { type Clock, systemClock } from '../meta/clock.ts';
import { type IdentitySource, randomIdentity } from '../meta/identity-source.ts';

/** Options that make runs of a server repeatable. Only for programs: there are no flags. */
export interface RepeatableOptions {
  /** The clock for times in objects and for delayed work. By default that of the machine. */
  readonly clock?: Clock;
  /** The source of uids, generated names and similar. Random by default. */
  readonly identity?: IdentitySource;
}

export const repeatableDefaults: Required<RepeatableOptions> = { clock: systemClock, identity: randomIdentity };
