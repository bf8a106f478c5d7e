import type { Authenticator, Credentials, UserInfo } from '../authn/index.ts';
import { sessionPath } from './paths.ts';

/** Someone who is not signed in. */
const visitor: UserInfo = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} };

/**
 * Lets visitors reach the session endpoint, where they sign in with the secret in the body. Whatever else the request
 * carries, such as a certificate of another server, must not prevent that, so this also applies after refusals.
 */
export function visitors(mayVisit: (credentials: Credentials) => boolean): Authenticator {
  return {
    authenticate: (credentials) => (credentials.path === sessionPath && mayVisit(credentials) ? visitor : undefined),
  };
}

export function isVisitor({ groups }: UserInfo): boolean {
  return groups.includes('system:unauthenticated');
}
