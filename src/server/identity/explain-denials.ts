import type { Authorizer, RequestedResource } from '../../authz/index.ts';
import type { RbacAuthorizer } from '../../authz/rbac/index.ts';
import type { DenialObserver } from '../../http/filters/authorize.ts';
import { whenThere } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { Logger } from '../options.ts';

interface ExplainParts {
  readonly authorizer: Authorizer;
  readonly rbac: Pick<RbacAuthorizer, 'closestRule'>;
  readonly log: Logger;
}

/** Printable ASCII: names in rules may be anything, and a header may not. */
const unprintable = /[^\x20-\x7e]/gu;
const reviews = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'subjectaccessreviews',
  subresource: '',
  namespace: '',
  name: '',
};

/**
 * Every denial becomes a line of the log. Who may ask what others may do anyway is also told in a header which rule came
 * closest: for a request in another's name that is the one who makes it.
 */
export function explainDenials({ authorizer, rbac, log }: ExplainParts): DenialObserver {
  const mayReview = (user: UserInfo) =>
    whenThere(
      authorizer.authorize({ user, verb: 'create', resource: reviews }),
      ({ decision }) => decision === 'allow',
    );
  return (context, attributes, reason) => {
    const { user, verb, resource, path } = attributes;
    const closest = rbac.closestRule(attributes) ?? 'no rule comes close';
    log.info('denied', {
      user: user.name,
      groups: user.groups,
      verb,
      ...(resource === undefined ? { path } : { resource: written(resource) }),
      ...(context.impersonator !== undefined && { impersonator: context.impersonator.name }),
      ...(reason !== '' && { reason }),
      closest,
    });
    return whenThere(mayReview(context.impersonator ?? user), (may) => {
      if (may) context.exchange.setHeader('keelson-denial', closest.replace(unprintable, '?'));
    });
  };
}

/** Without what is empty, and without what others know of the request. */
function written({ group, version, resource, subresource, namespace, name }: RequestedResource): object {
  const parts = { group, version, resource, subresource, namespace, name };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
}
