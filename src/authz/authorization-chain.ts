import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Attributes, Authorizer, Decision } from './authorizer.ts';

/** Asks authorizers in order; the first `allow` or `deny` decides. */
export class AuthorizationChain implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  /** `no-opinion` when nobody had one, with the reasons that were given, one per line. */
  authorize(attributes: Attributes): MaybePromise<Decision> {
    return this.#askFrom(0, attributes, '');
  }

  #askFrom(first: number, attributes: Attributes, reasons: string): MaybePromise<Decision> {
    let given = reasons;
    for (let index = first; index < this.#authorizers.length; index++) {
      const answer = this.#authorizers[index]!.authorize(attributes);
      if (answer instanceof Promise) {
        const next = index + 1;
        const before = given;
        return answer.then((decision) =>
          isFinal(decision) ? decision : this.#askFrom(next, attributes, joined(before, decision.reason)),
        );
      }
      if (isFinal(answer)) return answer;
      given = joined(given, answer.reason);
    }
    return { decision: 'no-opinion', reason: given };
  }
}

function isFinal({ decision }: Decision): boolean {
  return decision !== 'no-opinion';
}

function joined(reasons: string, reason: string): string {
  return reasons === '' ? reason : reason === '' ? reasons : `${reasons}\n${reason}`;
}
