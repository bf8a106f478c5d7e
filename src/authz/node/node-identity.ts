import type { UserInfo } from '../../meta/user.ts';

const prefix = 'system:node:';

/**
 * Returns the node name of a user, or undefined when the user is not a node. Empty when the user name contains no node
 * name.
 */
export function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}

export function isNode(user: UserInfo): boolean {
  return nodeOf(user) !== undefined;
}
