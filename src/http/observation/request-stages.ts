/** The stages of a request, in order. */
export type RequestStage = 'authentication' | 'impersonation' | 'queue' | 'authorization' | 'body' | 'storage';

/**
 * The end times of the stages of a request. Synchronous stages are counted in the next stage, so that requests that
 * never wait need no clock.
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
