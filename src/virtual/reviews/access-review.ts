import type { Attributes, Authorizer, Decision } from '../../authz/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { ResourceAttributes, SubjectAccessReviewSpec } from '../../resources/authorization/access-review-types.ts';
import type { ReviewResult } from './review-type.ts';
import { reviewedSelectors } from './reviewed-selectors.ts';

/** Reviews the access of the subject that the review names. */
export async function reviewSubjectAccess(authorizer: Authorizer, review: ResourceObject): Promise<ReviewResult> {
  const { user = '', uid = '', groups = [], extra = {} } = specOf(review);
  return reviewAccess(authorizer, review, { name: user, uid, groups, extra });
}

/** Reviews the access of the given user. */
export async function reviewAccess(
  authorizer: Authorizer,
  review: ResourceObject,
  user: UserInfo,
): Promise<ReviewResult> {
  const { resourceAttributes, nonResourceAttributes = {} } = specOf(review);
  const { attributes, ignored } =
    resourceAttributes === undefined
      ? {
          attributes: { user, verb: nonResourceAttributes.verb ?? '', path: nonResourceAttributes.path ?? '' },
          ignored: [],
        }
      : onResource(resourceAttributes, user);
  const decision = await authorizer.authorize(attributes);
  return { metadata: review.metadata, spec: review.spec, status: statusOf(decision, ignored) };
}

function specOf({ spec }: ResourceObject): SubjectAccessReviewSpec {
  return (spec ?? {}) as SubjectAccessReviewSpec;
}

function onResource(
  reviewed: ResourceAttributes,
  user: UserInfo,
): { attributes: Attributes; ignored: readonly string[] } {
  const { verb = '', namespace = '', group = '', version, resource = '', subresource = '', name = '' } = reviewed;
  const { selectors, ignored } = reviewedSelectors(reviewed);
  return {
    attributes: {
      user,
      verb,
      // A review without a version applies to all versions.
      resource: { group, version: version || '*', resource, subresource, namespace, name },
      selectors: () => selectors,
    },
    ignored,
  };
}

function statusOf({ decision, reason, error }: Decision, ignored: readonly string[]): object {
  return {
    allowed: decision === 'allow',
    denied: decision === 'deny',
    reason,
    evaluationError: [...(error === undefined ? [] : [error.message]), ...ignored].join('; '),
  };
}
