import type { AuthenticationChain } from '../../authn/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { Filter } from '../pipeline.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * Determines the user of the request. Before a refusal is thrown, it calls `onRefused`. Before a 401, it also sets
 * `WWW-Authenticate` and ends the connection.
 */
export function authenticate(chain: AuthenticationChain, onRefused: (context: RequestContext) => void): Filter {
  const challenged = (context: RequestContext, error: unknown): unknown => {
    if (!(error instanceof StatusError)) return error;
    onRefused(context);
    if (error.status.code === 401) {
      if (context.compatibility.challenges) context.exchange.setHeader('www-authenticate', 'Bearer');
      // As in kube-apiserver, each failed attempt over HTTP/2 costs the client a connection.
      context.exchange.connection.shutDown?.();
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
