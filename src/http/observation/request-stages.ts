/** What a request waits for, in this order. */
export type RequestStage = 'authentication' | 'impersonation' | 'queue' | 'authorization' | 'body' | 'storage';

/**
 * When a request was done with what it had to wait for. What is done at once belongs to the next stage, so that requests
 * that wait for nothing need no clock.
 */
export class RequestStages {
  readonly #ends: { readonly stage: RequestStage; readonly at: number }[] = [];

  /** `at` is a time of `performance.now()`. */
  reached(stage: RequestStage, at: number): void {
    this.#ends.push({ stage, at });
  }

  /** The durations in milliseconds. The rest of the request is `response`. */
  durations(startedAt: number, endedAt: number): Record<string, number> {
    const durations: Record<string, number> = {};
    let last = startedAt;
    for (const { stage, at } of this.#ends) {
      durations[stage] = (durations[stage] ?? 0) + at - last;
      last = at;
    }
    durations.response = endedAt - last;
    return durations;
  }

  /** How long the stage took, in milliseconds. 0 when it did not wait. */
  msOf(stage: RequestStage, startedAt: number): number {
    return this.durations(startedAt, startedAt)[stage] ?? 0;
  }
}
