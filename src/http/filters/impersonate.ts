import type { Authorizer } from '../../authz/index.ts';
import { Impersonation } from '../impersonation/impersonation.ts';
import { requestedUser } from '../impersonation/requested-user.ts';
import type { Filter } from '../pipeline.ts';
import { requestAttributes } from '../request-attributes.ts';

/** Lets a request be made in the name of somebody else, when the one who makes it may do that. */
export function impersonate(authorizer: Authorizer): Filter {
  const impersonation = new Impersonation(authorizer);
  return (context, next) => {
    const wanted = requestedUser(context.exchange.rawHeaders);
    if (wanted === undefined) return next(context);
    const requester = context.knownUser;
    return impersonation.impersonate(requestAttributes(context, context.info.verb), wanted).then((user) => {
      context.impersonator = requester;
      context.user = user;
      return next(context);
    });
  };
}
