import { CelError, type CelProgram, ComputedMap, type Execution, interrupted } from '../../cel/index.ts';
import { Pending } from '../../meta/pending.ts';
import { nextTurn } from '../../meta/turns.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import type { Composition } from './composition.ts';
import type { ExpressionInput } from './expression-input.ts';

/** The cost limit of a policy's expressions for one request and one parameter, as in kube-apiserver. */
export const policyBudget = 10_000_000;
/** The cost limit of the match conditions of a webhook or a policy. */
export const conditionBudget = 2_500_000;

/** The maximum duration of an attempt, in milliseconds. */
const turnMs = 8;

/** Thrown when the expressions cost more than their budget. */
export class OutOfBudget extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** The value in the form of expressions, or the message of an error. */
export type Outcome =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

interface EvaluationOptions {
  readonly budget: number;
  readonly composition?: Composition | undefined;
}

/** Evaluates expressions with one input, within a budget. The values of `variables` are computed once, when needed. */
export class Evaluation {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #composition: Composition | undefined;
  readonly #meter = { cost: 0 };
  #interrupted: Map<CelProgram, Execution> | undefined;
  readonly #interruptions = { isDue: () => performance.now() >= this.#turnEnd, interval: 500 };
  #turnEnd = Number.POSITIVE_INFINITY;
  #variables: Map<string, VariableState> | undefined;
  #budget: number;

  constructor(input: ExpressionInput, { budget, composition }: EvaluationOptions) {
    this.#budget = budget;
    this.#composition = composition;
    const { object = null, oldObject = null, request, params = null, namespaceObject = null, access } = input;
    this.#values = {
      object,
      oldObject,
      request,
      params,
      namespaceObject,
      authorizer: access.authorizer,
      'authorizer.requestResource': access.requestResource,
      variables: composition === undefined ? undefined : this.#variablesOf(composition),
    };
  }

  #variablesOf({ type, names }: Composition): ComputedMap | undefined {
    return names.size === 0 ? undefined : new ComputedMap(type.name, names, (name) => this.#variable(name));
  }

  /** Like `evaluate`, but stops when it takes too long and returns the cause. The next attempt continues. */
  attempt(expression: CompiledExpression): Outcome | Pending {
    this.#turnEnd = performance.now() + turnMs;
    try {
      return this.evaluate(expression);
    } catch (error) {
      if (!(error instanceof Pending)) throw error;
      return error;
    } finally {
      this.#turnEnd = Number.POSITIVE_INFINITY;
    }
  }

  /** Continues an expression after an attempt, until it has an outcome. Rejects with `OutOfBudget`. */
  async finish(expression: CompiledExpression, attempted: Pending): Promise<Outcome> {
    let outcome: Outcome | Pending = attempted;
    while (outcome instanceof Pending) {
      await outcome.done;
      outcome = this.attempt(expression);
    }
    return outcome;
  }

  /** Throws `OutOfBudget`, and `Pending` when the authorizer takes time. */
  evaluate(expression: CompiledExpression): Outcome {
    if (expression.program === undefined) return { error: `compilation error: ${expression.problem}` };
    let outcome: Outcome;
    try {
      outcome = { value: this.#run(expression.program) };
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      outcome = { error: `expression '${expression.text}' resulted in error: ${error.message}` };
    }
    if (this.#meter.cost > this.#budget) throw new OutOfBudget();
    return outcome;
  }

  #run(program: CelProgram): unknown {
    const execution =
      this.#interrupted?.get(program) ??
      program.begin(this.#values, { meter: this.#meter, interruptions: this.#interruptions });
    this.#interrupted?.delete(program);
    try {
      return execution.run().value;
    } catch (error) {
      if (error instanceof CelError) throw error;
      this.#interrupted ??= new Map();
      this.#interrupted.set(program, execution);
      throw error === interrupted ? new Pending('an expression', nextTurn()) : error;
    }
  }

  /** The cost of all expressions so far. */
  get cost(): number {
    return this.#meter.cost;
  }

  /** Grants another budget for the expressions that follow. */
  renew(budget: number): void {
    this.#budget = this.#meter.cost + budget;
  }

  #variable(name: string): unknown {
    this.#variables ??= new Map();
    let state = this.#variables.get(name);
    if (state === undefined) {
      // A name that is declared twice may refer to itself.
      this.#variables.set(name, { error: new CelError(`composited variable "${name}" refers to itself`) });
      try {
        state = this.#computed(name);
      } catch (error) {
        this.#variables.delete(name);
        throw error;
      }
      this.#variables.set(name, state);
    }
    if (state.error !== undefined) throw state.error;
    return state.value;
  }

  #computed(name: string): VariableState {
    // Each variable may cost as much as an expression, so many of them would take too long.
    if (this.#meter.cost > this.#budget) throw new OutOfBudget();
    const { program, problem } = this.#composition!.get(name)!;
    if (program === undefined) {
      return { error: new CelError(`composited variable "${name}" fails to compile: ${problem}`) };
    }
    try {
      return { value: this.#run(program) };
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return { error: new CelError(`composited variable "${name}" fails to evaluate: ${error.message}`) };
    }
  }
}

type VariableState =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: CelError };
