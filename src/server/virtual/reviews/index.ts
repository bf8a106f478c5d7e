/** The resources that are questions: who somebody is and what somebody may do. */
import type { Authorizer, RuleResolver } from '../../../authz/index.ts';
import type { ResourceDefinition, Verbs } from '../../../registry/index.ts';
import { reviewAccess, reviewSubjectAccess } from './access-review.ts';
import { type ReviewToken, reviewBearerToken, reviewSelf } from './identity-review.ts';
import { ReviewType, reviewVerbs } from './review-type.ts';
import { reviewRules } from './rules-review.ts';

export { withCoreReviewRights, withCoreReviews } from './core-reviews.ts';
export type { ReviewToken, TokenVerdict } from './identity-review.ts';

/** Whom the reviews ask. */
export interface ReviewParts {
  /** The whole chain: a review says what a request would meet. */
  readonly authorizer: Authorizer;
  readonly rules: RuleResolver;
  readonly reviewToken: ReviewToken;
}

/** The verbs of a review; undefined for other resources. */
export function reviewResource(definition: ResourceDefinition, parts: ReviewParts): Verbs | undefined {
  const { authorizer, rules, reviewToken } = parts;
  const { group, resource } = definition;
  switch (`${resource}.${group}`) {
    case 'subjectaccessreviews.authorization.k8s.io':
    case 'localsubjectaccessreviews.authorization.k8s.io':
      return reviewVerbs(new ReviewType({ definition }), (review) => reviewSubjectAccess(authorizer, review));
    case 'selfsubjectaccessreviews.authorization.k8s.io':
      return reviewVerbs(new ReviewType({ definition }), (review, { user }) => reviewAccess(authorizer, review, user));
    case 'selfsubjectrulesreviews.authorization.k8s.io':
      return reviewVerbs(new ReviewType({ definition }), (review, { user }) => reviewRules(rules, review, user));
    case 'selfsubjectreviews.authentication.k8s.io':
      return reviewVerbs(new ReviewType({ definition }), (_review, { user }) => reviewSelf(user));
    case 'tokenreviews.authentication.k8s.io':
      return reviewVerbs(new ReviewType({ definition }), (review) => reviewBearerToken(reviewToken, review));
    default:
      return undefined;
  }
}
