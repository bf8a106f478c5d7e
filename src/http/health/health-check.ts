import type { MaybePromise } from '../../meta/maybe-promise.ts';

export type HealthEndpoint = 'livez' | 'readyz' | 'healthz';

export const healthEndpoints: readonly HealthEndpoint[] = ['livez', 'readyz', 'healthz'];

/** One thing that must be so for the server to be healthy. */
export interface HealthCheck {
  /** Unique; it may contain slashes. */
  readonly name: string;
  /** Excluding the group excludes the check. */
  readonly group?: string;
  readonly endpoints: readonly HealthEndpoint[];
  /** True for what becomes healthy while the server starts: `/livez` forgives it for the grace period. */
  readonly bootSequence?: boolean;
  /** False while there is nothing to say: listings leave the check out. Always listed by default. */
  readonly isListed?: () => boolean;
  /** What listings add to the line of a check that is well. Anybody may read it. */
  readonly note?: () => string | undefined;
  /**
   * Throws or rejects with an error whose message is the reason. Must settle in bounded time and be cheap: anybody may ask
   * many times per second. The signal aborts when the asker goes away.
   */
  run(signal: AbortSignal): MaybePromise<void>;
}
