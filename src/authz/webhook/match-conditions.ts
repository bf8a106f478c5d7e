import { CelError, type CelProgram, celValue, compileExpression } from '../../cel/index.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import type { AccessReview } from './access-review.ts';

const selectorType = { name: 'kubernetes.SelectorAttributes', fields: { requirements: 'list<dyn>' } };
/** What an expression may ask about; what a request does not have is absent. */
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

/** Throws CelError when the expression is not one, or is not a condition. */
export function compileMatchCondition(expression: string): CelProgram {
  return compileExpression(expression, { variables: { request: requestType }, resultTypes: ['bool'] });
}

/** Which requests a webhook is asked about: those for which all conditions hold. */
export class MatchConditions {
  readonly #programs: readonly CelProgram[];

  constructor(expressions: readonly string[]) {
    this.#programs = expressions.map(compileMatchCondition);
  }

  get isEmpty(): boolean {
    return this.#programs.length === 0;
  }

  /**
   * One condition that does not hold is enough for a no, even where others cannot be evaluated. Otherwise those are
   * thrown as an Error.
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
