import type { UserInfo } from '../meta/user.ts';
import type { KeptCredential } from './kept-credential.ts';

/** Whom a link or a session signs in, and what that depends on. */
export interface SignIn {
  /** The user of the requests: the impersonated one, if any. */
  readonly user: UserInfo;
  /** The user whom the credential identifies. */
  readonly owner: UserInfo;
  /** Checked again for every request. Undefined when this server itself has signed the user in. */
  readonly credential: KeptCredential | undefined;
  /** The user to impersonate, as it was requested. Whether the owner may do so is decided for every request. */
  readonly impersonated: UserInfo | undefined;
  /** When the first sign-in ends, in milliseconds since 1970. Undefined before it. */
  readonly endsAt: number | undefined;
}
