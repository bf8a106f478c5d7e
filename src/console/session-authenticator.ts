import type { Authenticator, Credentials } from '../authn/index.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import type { RequestOrigins } from './request-origins.ts';
import { hasSessionCookie, proofHeader, sessionIdOf } from './session-cookie.ts';
import type { Session, Sessions } from './sessions.ts';

type CookieRequest = Pick<Credentials, 'header' | 'rawHeaders'>;

/**
 * Authenticates by the session of the console. A request that has the cookie but not the proof was not made by the page,
 * and has no session. One that comes from elsewhere is refused, whatever else it has.
 */
export class SessionAuthenticator implements Authenticator {
  readonly #sessions: Sessions;
  readonly #origins: RequestOrigins;

  constructor(sessions: Sessions, origins: RequestOrigins) {
    this.#sessions = sessions;
    this.#origins = origins;
  }

  authenticate(credentials: Credentials): MaybePromise<UserInfo | undefined> {
    const found = this.#secrets(credentials);
    if (found === undefined) return undefined;
    const session = this.#sessions.find(found.id, found.proof);
    if (session === undefined) throw unauthorized();
    return mapMaybe(session.identify(), (user) => {
      if (user !== undefined) return user;
      this.#sessions.end(found.id, found.proof);
      throw unauthorized();
    });
  }

  /** The session of a request. Undefined when there is none, or it has ended. */
  sessionOf(request: CookieRequest): Session | undefined {
    const found = this.#secrets(request);
    return found && this.#sessions.find(found.id, found.proof);
  }

  end(request: CookieRequest): void {
    const found = this.#secrets(request);
    if (found !== undefined) this.#sessions.end(found.id, found.proof);
  }

  #secrets(request: CookieRequest): { readonly id: string; readonly proof: string } | undefined {
    // A credential that the client states itself goes first.
    if (request.header('authorization') !== undefined) return undefined;
    const cookies = request.header('cookie');
    if (cookies === undefined || !hasSessionCookie(cookies)) return undefined;
    const id = sessionIdOf(request.rawHeaders, this.#origins.check(request));
    const proof = request.header(proofHeader);
    return id === undefined || proof === undefined ? undefined : { id, proof };
  }
}
