import type { Authorizer, RequestedResource } from '../../authz/index.ts';
import type { RbacAuthorizer } from '../../authz/rbac/index.ts';
import type { DenialObserver } from '../../http/filters/authorize.ts';
import type { Logger } from '../../meta/logger.ts';
import { mapMaybe } from '../../meta/maybe-promise.ts';
import { mayReviewAccess } from './may-review-access.ts';

interface ExplainDenialsDependencies {
  readonly authorizer: Authorizer;
  readonly rbac: Pick<RbacAuthorizer, 'closestRule'>;
  readonly log: Logger;
}

/** Everything but printable ASCII, which names in rules may contain and headers may not. */
const unprintable = /[^\x20-\x7e]/gu;
/**
 * Logs every denial. Users who may create access reviews also get a header with the rule that came closest. For an
 * impersonated request, the impersonating user needs that permission, except in a session.
 */
export function explainDenials({ authorizer, rbac, log }: ExplainDenialsDependencies): DenialObserver {
  return (context, attributes, reason) => {
    const { user, verb, resource, path } = attributes;
    const closest = rbac.closestRule(attributes) ?? 'no rule comes close';
    log.info('denied', {
      user: user.name,
      groups: user.groups,
      verb,
      ...(resource === undefined ? { path } : { resource: identifyingFields(resource) }),
      ...(context.impersonator !== undefined && { impersonator: context.impersonator.name }),
      ...(reason !== '' && { reason }),
      closest,
    });
    return mapMaybe(mayReviewAccess(authorizer, context.reader), (may) => {
      if (may) context.exchange.setHeader('keelson-denial', closest.replace(unprintable, '?'));
    });
  };
}

/** The identifying fields of the resource, without empty ones. */
function identifyingFields({ group, version, resource, subresource, namespace, name }: RequestedResource): object {
  const fields = { group, version, resource, subresource, namespace, name };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
