import type { UserInfo } from '../../meta/user.ts';

const prefix = 'system:node:';

/** The node that a user is; undefined for users that are none. Empty for one that does not say which. */
export function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}

export function isNode(user: UserInfo): boolean {
  return nodeOf(user) !== undefined;
}
