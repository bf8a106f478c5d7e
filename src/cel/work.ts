import { costLimitExceeded } from './cel-error.ts';

/** Unlimited outside of evaluations. */
let remaining = Number.POSITIVE_INFINITY;

/**
 * Runs an evaluation with a limit on the work that the cost of expressions does not count, such as comparing nested
 * values. Throws when the limit is exceeded.
 */
export function withWorkLimit<T>(units: number, evaluate: () => T): T {
  const outer = remaining;
  remaining = units;
  try {
    return evaluate();
  } finally {
    remaining = outer;
  }
}

/** How much of the limit is left. */
export function workLeft(): number {
  return remaining;
}

/** Searching for a long substring in a long text may compare almost every pair of characters. */
export function spendOnSearch(text: string, substring: string): void {
  spend((text.length * substring.length) / 10_000);
}

/** One unit is about the work of one operator. */
export function spend(units: number): void {
  remaining -= units;
  if (remaining < 0) throw costLimitExceeded;
}

/** The work of making one item of a list, and of reading it again in a few calls. */
export const workPerItem = 8;

/** Throws before a text is cut into more pieces than may be made. */
export function spendOnPieces(text: string, separator: string): void {
  if (separator === '') {
    spend(text.length * workPerItem);
    return;
  }
  spend(workPerItem);
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length)) {
    spend(workPerItem);
  }
}
