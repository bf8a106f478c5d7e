import { AsyncLocalStorage } from 'node:async_hooks';
import type { Filter } from '../http/pipeline.ts';
import type { UserInfo } from '../meta/user.ts';
import type { BackendRequest } from './define-resource.ts';

/** Passes the user and the signal to the backends, because the object lifecycles do not carry them. */
const scopes = new AsyncLocalStorage<BackendRequest>();
const never = new AbortController().signal;
const none: BackendRequest = { user: undefined, signal: never };

/** Makes the request available to the backends. Must run after authentication. */
export const withRequestScope: Filter = (context, next) => {
  const { exchange, knownUser } = context;
  const scope = {
    user: knownUser as UserInfo,
    // Created on first use, because most backends do not need it.
    get signal() {
      return exchange.signal;
    },
  };
  return scopes.run(scope, () => next(context));
};

/** The request that is being handled. */
export function currentRequest(): BackendRequest {
  return scopes.getStore() ?? none;
}
