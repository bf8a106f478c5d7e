import type { UserInfo } from '../meta/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';

const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

export interface AnonymousOptions {
  /** Where requests may be anonymous, exact paths; everywhere without them. */
  readonly conditions?: readonly { readonly path: string }[];
}

/**
 * Takes whoever shows no credential for the anonymous user. Who shows a bad one is not taken: the chain does not come
 * here.
 */
export class AnonymousAuthenticator implements Authenticator {
  readonly withoutCredentials = true;
  readonly #paths: ReadonlySet<string> | undefined;

  constructor({ conditions = [] }: AnonymousOptions = {}) {
    this.#paths = conditions.length === 0 ? undefined : new Set(conditions.map(({ path }) => path));
  }

  authenticate({ path }: Credentials): UserInfo | undefined {
    return this.#paths === undefined || this.#paths.has(path) ? anonymousUser : undefined;
  }
}
