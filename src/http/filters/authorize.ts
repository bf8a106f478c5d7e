import { type Attributes, type Authorizer, type Decision, forbiddenError } from '../../authz/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Filter } from '../pipeline.ts';
import type { RequestContext } from '../request-context.ts';

/** Lets pass what the authorizer allows. Requests without a user got here because nobody has to be known for them. */
export function authorizeRequests(authorizer: Authorizer): Filter {
  return (context, next) => {
    if (context.user === undefined) return next(context);
    const allowed = authorize(context, authorizer, context.info.verb);
    return allowed instanceof Promise ? allowed.then(() => next(context)) : next(context);
  };
}

/** Throws the 403 when the user of the request may not do this with its target. */
export function authorize(context: RequestContext, authorizer: Authorizer, verb: string): MaybePromise<void> {
  const { path, target } = context.info;
  const user = context.user!;
  const attributes: Attributes = target === undefined ? { user, verb, path } : { user, verb, resource: target };
  const decision = authorizer.authorize(attributes);
  if (decision instanceof Promise) return decision.then((made) => enforce(context, attributes, made));
  enforce(context, attributes, decision);
}

function enforce({ exchange }: RequestContext, attributes: Attributes, { decision, reason }: Decision): void {
  if (decision === 'allow') return;
  exchange.setHeader('x-content-type-options', 'nosniff');
  throw forbiddenError(attributes, reason);
}
