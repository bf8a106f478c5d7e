import type { MaybePromise } from '../../meta/maybe-promise.ts';

export type HealthEndpoint = 'livez' | 'readyz' | 'healthz';

export const healthEndpoints: readonly HealthEndpoint[] = ['livez', 'readyz', 'healthz'];

/** One condition for the server to be healthy. */
export interface HealthCheck {
  /** Unique. May contain slashes. */
  readonly name: string;
  /** Excluding the group excludes the check. */
  readonly group?: string;
  readonly endpoints: readonly HealthEndpoint[];
  /**
   * True for checks that pass only once the server has started. `/livez` ignores their failures during the grace
   * period.
   */
  readonly bootSequence?: boolean;
  /** False to omit the check from listings. Always listed by default. */
  readonly isListed?: () => boolean;
  /** A note that listings append to the line of a passing check. It is public. */
  readonly note?: () => string | undefined;
  /**
   * Throws or rejects with an error whose message is the reason. Must settle in bounded time and be cheap, because
   * anyone may request it many times per second. The signal aborts when the client disconnects.
   */
  run(signal: AbortSignal): MaybePromise<void>;
}
