import type { UserInfo } from '../meta/user.ts';

const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';
const members = new WeakMap<UserInfo, UserInfo>();

/**
 * Adds `system:authenticated` to the groups of a user. Returns the same object for the same user, because caches use it
 * as a key.
 */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const { groups } = user;
  if (groups.includes(authenticated) || groups.includes(unauthenticated)) return user;
  let member = members.get(user);
  if (member === undefined) {
    member = { ...user, groups: [...groups, authenticated] };
    members.set(user, member);
  }
  return member;
}
