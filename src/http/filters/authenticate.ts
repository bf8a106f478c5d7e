import type { AuthenticationChain } from '../../authn/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { Filter } from '../pipeline.ts';
import type { RequestContext } from '../request-context.ts';

/** Determines the user of the request. Calls `onRefused` and sets `WWW-Authenticate` before a 401 is thrown. */
export function authenticate(chain: AuthenticationChain, onRefused: (context: RequestContext) => void): Filter {
  const challenged = (context: RequestContext, error: unknown): unknown => {
    if (error instanceof StatusError && error.status.code === 401) {
      onRefused(context);
      context.exchange.setHeader('www-authenticate', 'Bearer');
    }
    return error;
  };
  return (context, next) => {
    let user: MaybePromise<UserInfo>;
    try {
      user = chain.authenticate(context);
    } catch (error) {
      throw challenged(context, error);
    }
    if (!(user instanceof Promise)) {
      context.user = user;
      return next(context);
    }
    return user.then(
      (known) => {
        context.reached('authentication');
        context.user = known;
        return next(context);
      },
      (error) => {
        throw challenged(context, error);
      },
    );
  };
}
