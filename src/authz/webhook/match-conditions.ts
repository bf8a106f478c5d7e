import { CelError, type CelProgram, celValue, compileExpression } from '../../cel/index.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import type { AccessReview } from './access-review.ts';

const selectorType = { name: 'kubernetes.SelectorAttributes', fields: { requirements: 'list<dyn>' } };
/** The type of `request` in expressions. Fields that a request does not have are absent. */
const requestType = {
  name: 'kubernetes.SubjectAccessReviewSpec',
  fields: {
    resourceAttributes: {
      name: 'kubernetes.ResourceAttributes',
      fields: {
        namespace: 'string',
        verb: 'string',
        group: 'string',
        version: 'string',
        resource: 'string',
        subresource: 'string',
        name: 'string',
        fieldSelector: selectorType,
        labelSelector: selectorType,
      },
    },
    nonResourceAttributes: { name: 'kubernetes.NonResourceAttributes', fields: { path: 'string', verb: 'string' } },
    user: 'string',
    groups: 'list<string>',
    extra: 'map<string, list<string>>',
    uid: 'string',
  },
};

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
   * that failed.
   */
  hold(review: AccessReview): boolean {
    const values = { request: celValue(review) };
    const errors: string[] = [];
    for (const program of this.#programs) {
      try {
        if (program.evaluate(values) !== true) return false;
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        errors.push(`cel evaluation error: expression '${program.text}' resulted in error: ${error.message}`);
      }
    }
    if (errors.length > 0) throw new Error(joinedErrors(errors));
    return true;
  }
}
