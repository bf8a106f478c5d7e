import type { UserInfo } from '../meta/user.ts';

const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';
const known = new WeakMap<UserInfo, UserInfo>();

/**
 * The user as a member of the group of all who are known. The same object for the same user, as others keep answers by
 * it.
 */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const { groups } = user;
  if (groups.includes(authenticated) || groups.includes(unauthenticated)) return user;
  let member = known.get(user);
  if (member === undefined) {
    member = { ...user, groups: [...groups, authenticated] };
    known.set(user, member);
  }
  return member;
}
