import { forbiddenPath } from '../../meta/status-error.ts';
import type { Exchange } from '../exchange.ts';
import { Impersonation } from '../impersonation/impersonation.ts';
import { type RequestedUser, requestedUser } from '../impersonation/requested-user.ts';
import type { Filter } from '../pipeline.ts';
import { requestAttributes } from '../request-attributes.ts';
import type { Authorization } from './authorize.ts';

/** Executes a request as another user when the requester has the permission to impersonate that user. */
export function impersonate(authorization: Authorization): Filter {
  const impersonation = new Impersonation(authorization.authorizer);
  return (context, next) => {
    const byHeaders = impersonatedUser(context.exchange);
    // Impersonation is one step: nobody acts as someone who acts as someone else.
    if (byHeaders !== undefined && context.requestedUser !== undefined) {
      throw forbiddenPath('the session of an impersonated user cannot impersonate another one');
    }
    const wanted = context.requestedUser ?? byHeaders;
    if (wanted === undefined) return next(context);
    context.requestedUser = wanted;
    const requester = context.knownUser;
    return impersonation.impersonate(requestAttributes(context, context.info.verb), wanted).then((outcome) => {
      if ('refusal' in outcome) {
        return authorization.refuse(context, outcome.refusal.attributes, outcome.refusal.reason);
      }
      context.reached('impersonation');
      context.impersonator = requester;
      context.impersonationConstraint = outcome.constraint;
      context.user = outcome.user;
      return next(context);
    });
  };
}

/** The refusal repeats text that the client has sent, so it also gets the headers of denials. */
function impersonatedUser(exchange: Exchange): RequestedUser | undefined {
  try {
    return requestedUser(exchange.rawHeaders);
  } catch (error) {
    exchange.setHeader('x-content-type-options', 'nosniff');
    throw error;
  }
}
