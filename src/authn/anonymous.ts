import type { UserInfo } from '../meta/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';

const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

export interface AnonymousOptions {
  /** Exact paths on which anonymous requests are accepted. Default: all paths. */
  readonly conditions?: readonly { readonly path: string }[];
}

/**
 * Accepts requests without credentials as the anonymous user. The chain skips it for requests with an invalid
 * credential.
 */
export class AnonymousAuthenticator implements Authenticator {
  readonly needsNoCredentials = true;
  readonly #paths: ReadonlySet<string> | undefined;

  constructor({ conditions = [] }: AnonymousOptions = {}) {
    this.#paths = conditions.length === 0 ? undefined : new Set(conditions.map(({ path }) => path));
  }

  authenticate({ path }: Credentials): UserInfo | undefined {
    return this.#paths === undefined || this.#paths.has(path) ? anonymousUser : undefined;
  }
}
