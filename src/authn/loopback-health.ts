import { isLoopbackAddress } from '../meta/loopback-address.ts';
import type { UserInfo } from '../meta/user.ts';
import type { Authenticator } from './authenticator.ts';
import { isForwarded } from './is-forwarded.ts';

/** The user of a health probe from the same machine that sends no credentials. */
export const healthProbe: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

/**
 * Accepts health requests without credentials from the loopback address, so that simple probes work. Those that a proxy
 * forwards need credentials, because their clients may be on other machines.
 */
export function loopbackHealth(isHealthPath: (path: string) => boolean): Authenticator {
  return {
    needsNoCredentials: true,
    authenticate: ({ path, connection, rawHeaders }) =>
      isHealthPath(path) && isLoopbackAddress(connection.remoteAddress) && !isForwarded(rawHeaders)
        ? healthProbe
        : undefined,
  };
}
