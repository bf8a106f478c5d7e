import { CelError, type CelProgram } from '../../cel/index.ts';
import type { Steps } from '../../meta/turns.ts';

/** The total cost limit of the rules of one object, as in Kubernetes. */
const objectCost = 10_000_000;

interface Outcome {
  /** Undefined when there is a problem. */
  readonly value?: unknown;
  readonly problem?: CelError;
}

/** Adds up the cost of evaluating the rules of an object. */
export class RuleBudget {
  #remaining = objectCost;
  #isSpent = false;

  /** Whether no further rules are evaluated. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  get isEmpty(): boolean {
    return this.#remaining <= 0;
  }

  /** Ends the evaluation of rules. */
  exhaust(): void {
    this.#isSpent = true;
  }

  /** Evaluates an expression. Returns undefined when it costs more than is left. */
  *evaluate(program: CelProgram, values: Readonly<Record<string, unknown>>): Steps<Outcome | undefined> {
    const meter = { cost: 0 };
    let outcome: Outcome;
    try {
      outcome = { value: (yield* program.evaluateInSteps(values, { meter })).value };
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      outcome = { problem: error };
    }
    if (meter.cost > this.#remaining) return undefined;
    this.#remaining -= meter.cost;
    return outcome;
  }
}
