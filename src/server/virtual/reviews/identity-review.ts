import type { MaybePromise } from '../../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { badRequest } from '../../../meta/status-error.ts';
import { formatTime } from '../../../meta/time.ts';
import type { UserInfo } from '../../../meta/user.ts';
import type { Answer } from './review-type.ts';

/** Whom a token stands for, or why it stands for nobody. The error never holds the token. */
export type TokenVerdict =
  | {
      /** As a request with this token would have it: with `system:authenticated`. */
      readonly user: UserInfo;
      /** Those of the audiences asked about that the token is for. */
      readonly audiences: readonly string[];
    }
  | { readonly error: string };

/** Judges a bearer token as if a request had brought it. No audiences are those of the server. */
export type ReviewToken = (token: string, audiences: readonly string[]) => MaybePromise<TokenVerdict>;

/** Answers who makes the request. The answer does not repeat the question. */
export function reviewSelf(user: UserInfo): Answer {
  return { metadata: { creationTimestamp: formatTime(new Date()) }, status: { userInfo: userForm(user) } };
}

/** Answers whom the token of a review stands for. */
export async function reviewBearerToken(reviewToken: ReviewToken, { metadata, spec }: ResourceObject): Promise<Answer> {
  const { token = '', audiences = [] } = (spec ?? {}) as { token?: string; audiences?: readonly string[] };
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const verdict = await reviewToken(token, audiences);
  return { metadata, spec, status: statusOf(verdict) };
}

function statusOf(verdict: TokenVerdict): object {
  if ('error' in verdict) return { user: {}, error: verdict.error };
  return { authenticated: true, user: userForm(verdict.user), audiences: verdict.audiences };
}

function userForm({ name, uid, groups, extra }: UserInfo): object {
  return { username: name, uid, groups, extra };
}
