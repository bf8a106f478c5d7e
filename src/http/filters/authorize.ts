import {
  type Attributes,
  type Authorizer,
  type Decision,
  forbiddenError,
  type RequestedResource,
} from '../../authz/index.ts';
import { parseFieldSelector } from '../../meta/field-selector.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { pathSegmentErrors } from '../../meta/names.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { Filter } from '../pipeline.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';

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
  const attributes: Attributes =
    target === undefined ? { user, verb, path } : { user, verb, resource: requested(context, target) };
  const decision = authorizer.authorize(attributes);
  if (decision instanceof Promise) return decision.then((made) => enforce(context, attributes, made));
  enforce(context, attributes, decision);
}

const collectionVerbs = new Set(['list', 'watch', 'deletecollection']);

/** Who asks for the one object of a name in a collection needs no more than the permission for that object. */
function requested(context: RequestContext, target: ResourceTarget): RequestedResource {
  if (target.name !== '' || !collectionVerbs.has(context.info.verb)) return target;
  const text = context.parameter('fieldSelector');
  if (!text.includes('metadata.name')) return target;
  const name = selectedName(text);
  return name === undefined || pathSegmentErrors(name).length > 0 ? target : { ...target, name };
}

function selectedName(text: string): string | undefined {
  try {
    return parseFieldSelector(text).requiredValue('metadata.name');
  } catch (error) {
    // The handler will say what is wrong with it.
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

function enforce({ exchange }: RequestContext, attributes: Attributes, { decision, reason }: Decision): void {
  if (decision === 'allow') return;
  exchange.setHeader('x-content-type-options', 'nosniff');
  throw forbiddenError(attributes, reason);
}
