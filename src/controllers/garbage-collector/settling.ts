/** The wait after a change of a definition: it is served a little later, and other changes often follow. */
export const settleMs = 100;
/** The maximum wait while definitions keep changing, for example when a platform is installed. */
const maxSettleMs = 10_000;

/** Tracks the time from the first change of a definition until no other has followed for `settleMs`. */
export class Settling {
  #changes: { readonly first: number; last: number } | undefined;

  changed(): void {
    const now = performance.now();
    this.#changes ??= { first: now, last: now };
    this.#changes.last = now;
  }

  /** Also true when nothing has changed. */
  get isOver(): boolean {
    if (this.#changes === undefined) return true;
    const { first, last } = this.#changes;
    const now = performance.now();
    return now - last >= settleMs || now - first >= maxSettleMs;
  }

  /** Starts again. Returns whether anything has changed. */
  end(): boolean {
    const hasChanged = this.#changes !== undefined;
    this.#changes = undefined;
    return hasChanged;
  }
}
