import { type Clock, systemClock } from '../meta/clock.ts';
import { type IdentitySource, randomIdentity } from '../meta/identity-source.ts';

/** What makes two runs of a server write the same. Only for programs: there are no flags. */
export interface RepeatableOptions {
  /** The time of objects and of what happens to them after a while. By default that of the machine. */
  readonly clock?: Clock;
  /** Where uids, generated names and the like come from. Random by default. */
  readonly identity?: IdentitySource;
}

export const repeatableDefaults: Required<RepeatableOptions> = { clock: systemClock, identity: randomIdentity };
