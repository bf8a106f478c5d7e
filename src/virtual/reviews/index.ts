/** The review resources of authentication and authorization. */

import type { Authorizer, RuleResolver } from '../../authz/index.ts';
import type { Clock } from '../../meta/clock.ts';
import type { ResourceDefinition, Verbs } from '../../registry/index.ts';
import type { VirtualAdmission } from '../virtual-admission.ts';
import { reviewAccess, reviewSubjectAccess } from './access-review.ts';
import { type ReviewToken, reviewBearerToken, reviewSelf } from './identity-review.ts';
import { ReviewType, reviewVerbs } from './review-type.ts';
import { reviewRules } from './rules-review.ts';

export { withCoreReviewRights, withCoreReviews } from './core-reviews.ts';
export type { ReviewToken, TokenReviewResult } from './identity-review.ts';

/** The services that handle reviews. */
export interface ReviewDependencies {
  /** The whole authorization chain, so that a review has the result of a real request. */
  readonly authorizer: Authorizer;
  readonly rules: RuleResolver;
  readonly reviewToken: ReviewToken;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** The verbs of a review; undefined for other resources. */
export function reviewResource(
  definition: ResourceDefinition,
  dependencies: ReviewDependencies,
  admission?: VirtualAdmission,
): Verbs | undefined {
  const { authorizer, rules, reviewToken, clock } = dependencies;
  const verbs = (evaluate: Parameters<typeof reviewVerbs>[2]): Verbs =>
    reviewVerbs(new ReviewType({ definition }), admission, evaluate);
  const { group, resource } = definition;
  switch (`${resource}.${group}`) {
    case 'subjectaccessreviews.authorization.k8s.io':
    case 'localsubjectaccessreviews.authorization.k8s.io':
      return verbs((review) => reviewSubjectAccess(authorizer, review));
    case 'selfsubjectaccessreviews.authorization.k8s.io':
      return verbs((review, { user }) => reviewAccess(authorizer, review, user));
    case 'selfsubjectrulesreviews.authorization.k8s.io':
      return verbs((review, { user }) => reviewRules(rules, review, user));
    case 'selfsubjectreviews.authentication.k8s.io':
      return verbs((_review, { user }) => reviewSelf(user, clock));
    case 'tokenreviews.authentication.k8s.io':
      return verbs((review) => reviewBearerToken(reviewToken, review));
    default:
      return undefined;
  }
}
