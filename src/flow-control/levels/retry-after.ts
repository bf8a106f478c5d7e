const maxSeconds = 32;
/** More rejections than this per second of `Retry-After` mean that it was too short. */
const tooMany = 3;

/**
 * The `Retry-After` of rejected requests. Doubles while there are too many rejections, and halves when there are few.
 */
export class RetryAfter {
  readonly #now: () => number;
  readonly #refusals: { readonly second: number; count: number }[] = [];
  #seconds = 1;
  #changedAt: number;

  /** `now` is in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#changedAt = Math.floor(now() / 1000);
  }

  get seconds(): number {
    return this.#seconds;
  }

  refused(): void {
    const second = Math.floor(this.#now() / 1000);
    const last = this.#refusals.at(-1);
    if (last?.second === second) last.count++;
    else {
      this.#adapt(second);
      this.#refusals.push({ second, count: 1 });
    }
  }

  #adapt(second: number): void {
    while (this.#refusals.length > 0 && second - this.#refusals[0]!.second > maxSeconds) this.#refusals.shift();
    if (second - this.#changedAt < this.#seconds) return;
    const within = (seconds: number): number =>
      this.#refusals.reduce((sum, refusal) => (second - refusal.second <= seconds ? sum + refusal.count : sum), 0);
    if (within(this.#seconds) >= tooMany * this.#seconds) this.#change(Math.min(maxSeconds, 2 * this.#seconds), second);
    else if (within(2 * this.#seconds) < this.#seconds) this.#change(Math.max(1, this.#seconds / 2), second);
  }

  #change(seconds: number, at: number): void {
    this.#seconds = seconds;
    this.#changedAt = at;
  }
}
