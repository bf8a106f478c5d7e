import type { UserInfo } from '../meta/user.ts';
import type { Authenticator } from './authenticator.ts';

/** Whoever asks on the machine itself how the server is, without saying who it is. */
export const healthProbe: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

/** Lets the simplest probe work: health needs no credentials on the machine itself. */
export function loopbackHealth(isHealthPath: (path: string) => boolean): Authenticator {
  return {
    withoutCredentials: true,
    authenticate: ({ path, connection }) =>
      isHealthPath(path) && isLoopback(connection.remoteAddress) ? healthProbe : undefined,
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}
