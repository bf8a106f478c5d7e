import {
  CelError,
  type CelProgram,
  compileExpression,
  dynType,
  listType,
  mapType,
  objectType,
  stringType,
} from '../../cel/index.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import type { AccessReview } from './access-review.ts';

const selectorType = objectType('kubernetes.SelectorAttributes', { requirements: listType(dynType) });
/** The type of `request` in expressions. Fields that a request does not have are absent. */
const requestType = objectType('kubernetes.SubjectAccessReviewSpec', {
  resourceAttributes: objectType('kubernetes.ResourceAttributes', {
    namespace: stringType,
    verb: stringType,
    group: stringType,
    version: stringType,
    resource: stringType,
    subresource: stringType,
    name: stringType,
    fieldSelector: selectorType,
    labelSelector: selectorType,
  }),
  nonResourceAttributes: objectType('kubernetes.NonResourceAttributes', { path: stringType, verb: stringType }),
  user: stringType,
  groups: listType(stringType),
  extra: mapType(stringType, listType(stringType)),
  uid: stringType,
});

/** Throws a CelError when the expression does not compile or is not boolean. */
export function compileMatchCondition(expression: string): CelProgram {
  return compileExpression(expression, { variables: { request: requestType }, resultTypes: ['bool'] });
}

/** Selects the requests that are sent to a webhook: those for which all conditions are true. */
export class MatchConditions {
  readonly #programs: readonly CelProgram[];

  constructor(expressions: readonly string[]) {
    this.#programs = expressions.map(compileMatchCondition);
  }

  get isEmpty(): boolean {
    return this.#programs.length === 0;
  }

  /**
   * Returns false when a condition is false, even if another one fails to evaluate. Otherwise throws an Error for those
   * that failed. Can be interrupted: a review may have thousands of groups.
   */
  *hold(review: AccessReview): Steps<boolean> {
    const values = { request: review };
    const errors: string[] = [];
    for (const program of this.#programs) {
      try {
        if ((yield* program.evaluateInSteps(values)).value !== true) return false;
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        errors.push(`cel evaluation error: expression '${program.text}' resulted in error: ${error.message}`);
      }
      if (isTurnOver()) yield;
    }
    if (errors.length > 0) throw new Error(joinedErrors(errors));
    return true;
  }
}
