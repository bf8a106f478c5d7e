import { type Attributes, type Authorizer, type Decision, forbiddenError } from '../../authz/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { Filter } from '../pipeline.ts';
import { requestAttributes } from '../request-attributes.ts';
import type { RequestContext } from '../request-context.ts';

/** Called for every denial. May add headers to the response. */
export type DenialObserver = (context: RequestContext, attributes: Attributes, reason: string) => MaybePromise<void>;

export interface AuthorizationOptions {
  /** A user that is already authorized, compared by identity. */
  readonly exempt?: UserInfo;
  readonly onDenial?: DenialObserver;
}

/** Rejects requests that the authorizer does not allow. */
export class Authorization {
  readonly authorizer: Authorizer;
  readonly #exempt: UserInfo | undefined;
  readonly #onDenial: DenialObserver | undefined;

  constructor(authorizer: Authorizer, { exempt, onDenial }: AuthorizationOptions = {}) {
    this.authorizer = authorizer;
    this.#exempt = exempt;
    this.#onDenial = onDenial;
  }

  readonly filter: Filter = (context, next) => {
    if (context.user !== undefined && context.user === this.#exempt) return next(context);
    const allowed = this.check(context, context.info.verb);
    if (!(allowed instanceof Promise)) return next(context);
    return allowed.then(() => {
      context.reached('authorization');
      return next(context);
    });
  };

  /** Throws the 403 when the user may not perform this verb on the target of the request. */
  check(context: RequestContext, verb: string): MaybePromise<void> {
    const attributes = requestAttributes(context, verb);
    const decision = this.authorizer.authorize(attributes);
    if (decision instanceof Promise) return decision.then((made) => this.#enforce(context, attributes, made));
    return this.#enforce(context, attributes, decision);
  }

  #enforce(context: RequestContext, attributes: Attributes, made: Decision): MaybePromise<void> {
    const { decision, reason, error } = made;
    context.decision = made;
    if (decision === 'allow') return;
    if (error !== undefined) throw undecided(context, error);
    return this.refuse(context, attributes, reason);
  }

  /** Throws the 403 after the denial has been observed. */
  refuse(context: RequestContext, attributes: Attributes, reason: string): MaybePromise<never> {
    return mapMaybe(this.#onDenial?.(context, attributes, reason), () => {
      context.exchange.setHeader('x-content-type-options', 'nosniff');
      throw forbiddenError(attributes, reason);
    });
  }
}

/** The authorizer failed without a decision, so the request is rejected. */
function undecided({ exchange }: RequestContext, cause: Error): Error {
  const uri = exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`;
  return new Error(`Internal Server Error: ${goQuote(uri)}: ${cause.message}`, { cause });
}
