import { CelError } from './cel-error.ts';

/** One and the same error each time: an operator that swallows errors may meet it very often. */
const exhausted = new CelError('operation cancelled: actual cost limit exceeded');

/** Outside of evaluations nothing is counted. */
let left = Number.POSITIVE_INFINITY;

/**
 * Runs an evaluation that may do so much work, counted in steps of the size of one operator. Throws once it is used up;
 * an operator that swallows the error meets it again at its next step.
 */
export function withinWork<T>(units: number, evaluate: () => T): T {
  const outer = left;
  left = units;
  try {
    return evaluate();
  } finally {
    left = outer;
  }
}

/** Searches for long parts in long texts may compare nearly everything with everything. */
export function spendOnSearch(text: string, part: string): void {
  spend((text.length * part.length) / 10_000);
}

export function spend(units: number): void {
  left -= units;
  if (left < 0) throw exhausted;
}

const weights = new WeakMap<object, number>();

/** How much there is to read in a value. Parts that occur several times count each time, as they are read each time. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length / 10;
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof Uint8Array) return value.length / 10;
  let weight = weights.get(value);
  if (weight === undefined) {
    weight = 1;
    for (const part of partsOf(value)) weight += 1 + weightOf(part);
    weights.set(value, weight);
  }
  return weight;
}

function partsOf(value: object): Iterable<unknown> {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return value.values();
  return Object.getPrototypeOf(value) === Object.prototype ? Object.values(value) : [];
}
