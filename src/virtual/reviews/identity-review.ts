import { type Clock, systemClock, timestamp } from '../../meta/clock.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest } from '../../meta/status-error.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { TokenReviewStatus } from '../../resources/authentication/review-types.ts';
import type { ReviewResult } from './review-type.ts';

/** The user of a token, or why the token is invalid. The error never contains the token. */
export type TokenReviewResult =
  | {
      /** The user of a request with this token, with the group `system:authenticated`. */
      readonly user: UserInfo;
      /** The requested audiences for which the token is valid. */
      readonly audiences: readonly string[];
    }
  | { readonly error: string };

/** Authenticates a bearer token like that of a request. No audiences means those of the server. */
export type ReviewToken = (token: string, audiences: readonly string[]) => MaybePromise<TokenReviewResult>;

/** Reviews the identity of the requester. The response does not repeat the request. */
export function reviewSelf(user: UserInfo, clock: Clock = systemClock): ReviewResult {
  return { metadata: { creationTimestamp: timestamp(clock) }, status: { userInfo: userInfo(user) } };
}

/** Reviews the token that the review contains. */
export async function reviewBearerToken(
  reviewToken: ReviewToken,
  { metadata, spec, status }: ResourceObject,
): Promise<ReviewResult> {
  const { token = '', audiences = [] } = (spec ?? {}) as { token?: string; audiences?: readonly string[] };
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const result = await reviewToken(token, audiences);
  return { metadata, spec, status: statusOf(result, (status ?? {}) as TokenReviewStatus) };
}

/** Like kube-apiserver, keeps what the client sent and the review does not set. */
function statusOf(result: TokenReviewResult, { authenticated: _, ...sent }: TokenReviewStatus): object {
  if ('error' in result) return { ...sent, user: sent.user ?? {}, error: result.error };
  return { ...sent, authenticated: true, user: userInfo(result.user), audiences: result.audiences };
}

function userInfo({ name, uid, groups, extra }: UserInfo): object {
  return { username: name, uid, groups, extra };
}
