import type { Authorizer, RequestedResource } from '../../authz/index.ts';
import type { RbacAuthorizer } from '../../authz/rbac/index.ts';
import type { DenialObserver } from '../../http/filters/authorize.ts';
import { mapMaybe } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { Logger } from '../options.ts';

interface ExplainDenialsDependencies {
  readonly authorizer: Authorizer;
  readonly rbac: Pick<RbacAuthorizer, 'closestRule'>;
  readonly log: Logger;
}

/** Everything but printable ASCII, which names in rules may contain and headers may not. */
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
 * Logs every denial. Users who may create access reviews also get a header with the rule that came closest. For an
 * impersonated request that is the impersonator.
 */
export function explainDenials({ authorizer, rbac, log }: ExplainDenialsDependencies): DenialObserver {
  const mayReview = (user: UserInfo) =>
    mapMaybe(authorizer.authorize({ user, verb: 'create', resource: reviews }), ({ decision }) => decision === 'allow');
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
    return mapMaybe(mayReview(context.impersonator ?? user), (may) => {
      if (may) context.exchange.setHeader('keelson-denial', closest.replace(unprintable, '?'));
    });
  };
}

/** The identifying fields of the resource, without empty ones. */
function identifyingFields({ group, version, resource, subresource, namespace, name }: RequestedResource): object {
  const fields = { group, version, resource, subresource, namespace, name };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
