import { costLimitExceeded } from '../cel-error.ts';

/** The state of one evaluation. */
export class Frame {
  cost = 0;
  readonly #limit: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Variables that were read, and variables of macros. */
  readonly slots: unknown[];

  constructor(
    values: Readonly<Record<string, unknown>>,
    { limit, slots }: { readonly limit: number; readonly slots: number },
  ) {
    this.values = values;
    this.#limit = limit;
    this.slots = new Array(slots);
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw costLimitExceeded;
  }
}

/** A compiled part of an expression. Throws a `CelError` when it has no value. */
export type Run = (frame: Frame) => unknown;
