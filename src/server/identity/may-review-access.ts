import type { Authorizer } from '../../authz/index.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';

const reviews = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'subjectaccessreviews',
  subresource: '',
  namespace: '',
  name: '',
};

/** Whether the user may create access reviews. Such users can query the permissions of all users anyway. */
export function mayReviewAccess(authorizer: Authorizer, user: UserInfo): MaybePromise<boolean> {
  const decision = authorizer.authorize({ user, verb: 'create', resource: reviews });
  return mapMaybe(decision, (made) => made.decision === 'allow');
}
