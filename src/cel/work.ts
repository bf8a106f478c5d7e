import { CelError } from './cel-error.ts';

/** A shared error object, because an operator that swallows errors may hit it very often. */
const exhausted = new CelError('operation cancelled: actual cost limit exceeded');

/** Unlimited outside of evaluations. */
let remaining = Number.POSITIVE_INFINITY;

/**
 * Runs an evaluation with a cost limit. Throws when the limit is exceeded. An operator that swallows the error hits it
 * again at its next step.
 */
export function withCostLimit<T>(units: number, evaluate: () => T): T {
  const outer = remaining;
  remaining = units;
  try {
    return evaluate();
  } finally {
    remaining = outer;
  }
}

/** Searching for a long substring in a long text may compare almost every pair of characters. */
export function spendOnSearch(text: string, substring: string): void {
  spend((text.length * substring.length) / 10_000);
}

export function spend(units: number): void {
  remaining -= units;
  if (remaining < 0) throw exhausted;
}

const weights = new WeakMap<object, number>();

/** The cost of reading a value. Shared values count once per occurrence, because each is read. */
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
