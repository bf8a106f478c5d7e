import type { Authenticator, Credentials } from '../authn/index.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { RequestOrigins } from './request-origins.ts';
import { hasSessionCookie, proofHeader, sessionIdOf } from './session-cookie.ts';
import type { Session } from './sessions.ts';
import type { SignIns } from './sign-ins.ts';

type CookieRequest = Pick<Credentials, 'header' | 'rawHeaders'>;

export interface SessionAuthenticatorOptions {
  readonly signIns: SignIns;
  readonly origins: RequestOrigins;
  /** Returns the user of a bearer token. Undefined when the token is not, or no longer, accepted. */
  readonly userOfToken: (token: string) => MaybePromise<UserInfo | undefined>;
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
    const { signIns, userOfToken } = this.#options;
    return mapMaybe(signIns.find(found.id, found.proof), (session) => {
      if (session === undefined) throw unauthorized();
      // Checked again for every request, because the token may expire or be revoked.
      const identified = session.token === undefined ? session.user : userOfToken(session.token);
      return mapMaybe(identified, (user) => {
        if (user !== undefined) return user;
        return mapMaybe(signIns.end(found.id, found.proof), () => {
          throw unauthorized();
        });
      });
    });
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
