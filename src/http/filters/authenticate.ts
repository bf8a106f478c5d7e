import type { AuthenticationChain } from '../../authn/index.ts';
import type { Filter } from '../pipeline.ts';

/**
 * Who makes the request. Health may be asked for without credentials from the machine itself, so that the simplest probe
 * works.
 */
export function authenticate(chain: AuthenticationChain, isHealthPath: (path: string) => boolean): Filter {
  return (context, next) => {
    const { connection } = context.exchange;
    if (isHealthPath(context.info.path) && isLoopback(connection.remoteAddress)) return next(context);
    const user = chain.authenticate(context);
    if (user instanceof Promise) {
      return user.then((known) => {
        context.user = known;
        return next(context);
      });
    }
    context.user = user;
    return next(context);
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}
