import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Counter, Meter } from '../meta/meter.ts';
import type { Attributes, Authorizer, Decision } from './authorizer.ts';

/** Counts the final decisions of an authorizer. */
export class MeteredAuthorizer implements Authorizer {
  readonly #authorizer: Authorizer;
  readonly #allowed: Counter;
  readonly #denied: Counter;

  constructor(authorizer: Authorizer, meter: Meter, { type, name }: { readonly type: string; readonly name: string }) {
    this.#authorizer = authorizer;
    const decisions = meter.counter({
      name: 'apiserver_authorization_decisions_total',
      help: 'Final decisions of each authorizer.',
      labels: ['type', 'name', 'decision'],
    });
    this.#allowed = decisions.of(type, name, 'allowed');
    this.#denied = decisions.of(type, name, 'denied');
  }

  authorize(attributes: Attributes): MaybePromise<Decision> {
    const made = this.#authorizer.authorize(attributes);
    return made instanceof Promise ? made.then((decision) => this.#count(decision)) : this.#count(made);
  }

  #count(made: Decision): Decision {
    if (made.decision === 'allow') this.#allowed.add();
    else if (made.decision === 'deny') this.#denied.add();
    return made;
  }
}
