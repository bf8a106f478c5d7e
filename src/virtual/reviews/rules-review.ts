import type { RuleResolver } from '../../authz/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest } from '../../meta/status-error.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { ReviewResult } from './review-type.ts';

/** Lists the permissions of the user in a namespace. The response does not repeat the request. */
export async function reviewRules(
  resolver: RuleResolver,
  { spec }: ResourceObject,
  user: UserInfo,
): Promise<ReviewResult> {
  const { namespace = '' } = (spec ?? {}) as { readonly namespace?: string };
  if (namespace === '') throw badRequest('no namespace on request');
  const { resourceRules, nonResourceRules, incomplete, evaluationError } = await resolver.rulesFor(user, namespace);
  return { metadata: {}, spec: {}, status: { resourceRules, nonResourceRules, incomplete, evaluationError } };
}
