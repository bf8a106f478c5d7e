import { joinedErrors } from '../meta/joined-errors.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { type Attributes, type Authorizer, type Decision, noOpinion } from './authorizer.ts';

/** Calls the authorizers in order. The first `allow` or `deny` decides. */
export class AuthorizationChain implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  /** Returns `no-opinion` when no authorizer decides, with their reasons, one per line, and their errors. */
  authorize(attributes: Attributes): MaybePromise<Decision> {
    return this.#authorizeFrom(0, attributes, noOpinion);
  }

  #authorizeFrom(first: number, attributes: Attributes, before: Decision): MaybePromise<Decision> {
    let combined = before;
    for (let index = first; index < this.#authorizers.length; index++) {
      const result = this.#authorizers[index]!.authorize(attributes);
      if (result instanceof Promise) {
        const next = index + 1;
        const combinedSoFar = combined;
        return result.then((decision) =>
          isFinal(decision)
            ? decision
            : this.#authorizeFrom(next, attributes, combineDecisions(combinedSoFar, decision)),
        );
      }
      if (isFinal(result)) return result;
      combined = combineDecisions(combined, result);
    }
    return combined;
  }
}

function isFinal({ decision }: Decision): boolean {
  return decision !== 'no-opinion';
}

function combineDecisions(one: Decision, other: Decision): Decision {
  if (other.reason === '' && other.error === undefined) return one;
  if (one.reason === '' && one.error === undefined) return other;
  const reason = [one.reason, other.reason].filter((text) => text !== '').join('\n');
  const errors = [one.error, other.error].filter((error) => error !== undefined);
  if (errors.length === 0) return { decision: 'no-opinion', reason };
  const error = errors.length === 1 ? errors[0] : new AuthorizationErrors(errors);
  return { decision: 'no-opinion', reason, error };
}

/** Combines the errors of several authorizers. */
class AuthorizationErrors extends AggregateError {
  constructor(errors: readonly Error[]) {
    const all = errors.flatMap((error) => (error instanceof AuthorizationErrors ? (error.errors as Error[]) : [error]));
    super(all, joinedErrors(all.map(({ message }) => message)));
  }
}
