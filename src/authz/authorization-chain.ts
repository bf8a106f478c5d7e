import { joinedErrors } from '../meta/joined-errors.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { type Attributes, type Authorizer, type Decision, noOpinion } from './authorizer.ts';

/** Asks authorizers in order; the first `allow` or `deny` decides. */
export class AuthorizationChain implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  /**
   * `no-opinion` when nobody had one, with the reasons that were given, one per line, and with the errors that came up.
   */
  authorize(attributes: Attributes): MaybePromise<Decision> {
    return this.#askFrom(0, attributes, noOpinion);
  }

  #askFrom(first: number, attributes: Attributes, before: Decision): MaybePromise<Decision> {
    let said = before;
    for (let index = first; index < this.#authorizers.length; index++) {
      const answer = this.#authorizers[index]!.authorize(attributes);
      if (answer instanceof Promise) {
        const next = index + 1;
        const sofar = said;
        return answer.then((decision) =>
          isFinal(decision) ? decision : this.#askFrom(next, attributes, together(sofar, decision)),
        );
      }
      if (isFinal(answer)) return answer;
      said = together(said, answer);
    }
    return said;
  }
}

function isFinal({ decision }: Decision): boolean {
  return decision !== 'no-opinion';
}

function together(one: Decision, other: Decision): Decision {
  if (other.reason === '' && other.error === undefined) return one;
  if (one.reason === '' && one.error === undefined) return other;
  const reason = [one.reason, other.reason].filter((text) => text !== '').join('\n');
  const errors = [one.error, other.error].filter((error) => error !== undefined);
  if (errors.length === 0) return { decision: 'no-opinion', reason };
  const error = errors.length === 1 ? errors[0] : new AuthorizationErrors(errors);
  return { decision: 'no-opinion', reason, error };
}

/** The errors of several authorizers as one. */
class AuthorizationErrors extends AggregateError {
  constructor(errors: readonly Error[]) {
    const all = errors.flatMap((error) => (error instanceof AuthorizationErrors ? (error.errors as Error[]) : [error]));
    super(all, joinedErrors(all.map(({ message }) => message)));
  }
}
