import { type FieldError, forbiddenValue } from '../../meta/field-error.ts';

/** The limit of the estimated cost of one expression. */
const expressionLimit = 10_000_000;
/** The limit of the estimated cost of all expressions of a schema. */
const schemaLimit = 100_000_000;
/** The maximum number of expensive expressions that are reported. */
const maxReported = 4;

interface Contribution {
  readonly path: string;
  readonly cost: number;
}

/** The estimated costs of all expressions of a schema. */
export class RuleCosts {
  #total = 0;
  #mostExpensive: readonly Contribution[] = [];

  /**
   * Counts an expression. Returns the error if it is too expensive. `name` is the kind of expression, such as `rule`.
   */
  add(name: string, path: string, cost: number): FieldError[] {
    this.#total += cost;
    if (cost >= schemaLimit / 100) {
      const sorted = [...this.#mostExpensive, { path, cost }].sort((left, right) => right.cost - left.cost);
      this.#mostExpensive = sorted.slice(0, maxReported);
    }
    if (cost <= expressionLimit) return [];
    return [forbiddenValue(path, tooExpensive(`estimated ${name} cost`, cost / expressionLimit))];
  }

  /** Returns the errors if the expressions are too expensive together. `path` is the path of the schema. */
  totalErrors(path: string): FieldError[] {
    if (this.#total <= schemaLimit) return [];
    const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const total = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#mostExpensive.map((contribution) => forbiddenValue(contribution.path, detail)),
      forbiddenValue(path, tooExpensive(total, this.#total / schemaLimit)),
    ];
  }
}

function tooExpensive(subject: string, factor: number): string {
  const times = factor > 100 ? 'more than 100x' : `${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`;
  const hint =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${subject} exceeds budget by factor of ${times} (${hint})`;
}
