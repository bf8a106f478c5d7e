import type { AuthenticationChain, Authenticator, Credentials } from '../authn/index.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { StatusError, unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import { credentialsOf } from './kept-credential.ts';
import { sessionPath } from './paths.ts';
import type { RequestOrigins } from './request-origins.ts';
import { hasSessionCookie, proofHeader, sessionIdOf } from './session-cookie.ts';
import type { Session } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import type { SignIns } from './sign-ins.ts';

type CookieRequest = Pick<Credentials, 'header' | 'rawHeaders'>;

export interface SessionAuthenticatorOptions {
  readonly signIns: SignIns;
  readonly origins: RequestOrigins;
  /** Returns the user of a credential, by any method. Throws or rejects with a 401 when it is not accepted. */
  readonly authenticate: AuthenticationChain['authenticate'];
}

/**
 * Authenticates by the session of the console. A request with the cookie but without the proof was not made by the
 * page, and has no session. A request from another origin is refused, regardless of its credentials.
 */
export class SessionAuthenticator implements Authenticator {
  readonly #options: SessionAuthenticatorOptions;

  constructor(options: SessionAuthenticatorOptions) {
    this.#options = options;
  }

  authenticate(credentials: Credentials): MaybePromise<UserInfo | undefined> {
    const found = this.#secrets(credentials);
    if (found === undefined) return undefined;
    const { signIns } = this.#options;
    return mapMaybe(signIns.find(found.id, found.proof), (session) => {
      if (session === undefined) return withoutSession(credentials);
      const { signIn } = session;
      return mapMaybe(this.ownerOf(signIn), (owner) => {
        if (owner === undefined) {
          return mapMaybe(signIns.end(found.id, found.proof), () => withoutSession(credentials));
        }
        if (signIn.impersonated !== undefined) credentials.runAs(signIn.impersonated);
        return owner;
      });
    });
  }

  /** Authenticates the credential of a sign-in again. Undefined when it no longer identifies the same user. */
  ownerOf({ credential, owner }: SignIn): MaybePromise<UserInfo | undefined> {
    if (credential === undefined) return owner;
    return mapMaybe(this.userOf(credential), (user) =>
      user?.name === owner.name && user.uid === owner.uid ? user : undefined,
    );
  }

  /** Undefined when the credential is not accepted. */
  userOf(credential: NonNullable<SignIn['credential']>): MaybePromise<UserInfo | undefined> {
    try {
      const user = this.#options.authenticate(credentialsOf(credential));
      return user instanceof Promise ? user.catch(nobody) : user;
    } catch (error) {
      return nobody(error);
    }
  }

  /** The session of a request. Undefined when there is none, or it has ended. */
  sessionOf(request: CookieRequest): MaybePromise<Session | undefined> {
    const found = this.#secrets(request);
    return found && this.#options.signIns.find(found.id, found.proof);
  }

  async end(request: CookieRequest): Promise<void> {
    const found = this.#secrets(request);
    if (found !== undefined) await this.#options.signIns.end(found.id, found.proof);
  }

  #secrets(request: CookieRequest): { readonly id: string; readonly proof: string } | undefined {
    // An explicit credential of the client takes precedence over the session.
    if (request.header('authorization') !== undefined) return undefined;
    const cookies = request.header('cookie');
    if (cookies === undefined || !hasSessionCookie(cookies)) return undefined;
    const id = sessionIdOf(request.rawHeaders, this.#options.origins.check(request));
    const proof = request.header(proofHeader);
    return id === undefined || proof === undefined ? undefined : { id, proof };
  }
}

/** A browser whose session has ended may ask who is signed in, and sign in again. */
function withoutSession({ path }: Credentials): undefined {
  if (path !== sessionPath) throw unauthorized();
  return undefined;
}

function nobody(error: unknown): undefined {
  if (error instanceof StatusError && error.status.code === 401) return undefined;
  throw error;
}
