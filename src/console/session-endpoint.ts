import type { Credentials } from '../authn/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { badRequest, forbiddenPath, routeMethodNotAllowed, StatusError, unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import { pageHeaders } from './page-headers.ts';
import type { SessionAuthenticator } from './session-authenticator.ts';
import { proofHeader, sessionCookie } from './session-cookie.ts';
import type { SignIns } from './sign-ins.ts';

/** The maximum length of an accepted token, and some JSON around it. */
const maxBodyBytes = 65 * 1024;

export interface SessionEndpointOptions {
  readonly signIns: SignIns;
  readonly authenticator: SessionAuthenticator;
  /** Returns the user of a request, by any credential. Rejects with a 401 when there is none. */
  readonly authenticate: (credentials: Credentials) => MaybePromise<UserInfo>;
  /** Returns the user of a bearer token. Undefined when the token is not, or no longer, accepted. */
  readonly userOfToken: (token: string) => MaybePromise<UserInfo | undefined>;
  readonly onSignIn: (user: UserInfo) => void;
}

/** Serves `/console/session`: the current session, sign-in and sign-out. */
export class SessionEndpoint {
  readonly #options: SessionEndpointOptions;

  constructor(options: SessionEndpointOptions) {
    this.#options = options;
  }

  handle(context: RequestContext, own: URL): Promise<void> {
    switch (context.exchange.method) {
      case 'GET':
      case 'HEAD':
        return this.#show(context);
      case 'POST':
        return this.#signIn(context, own);
      case 'DELETE':
        return this.#signOut(context, own);
      default:
        throw routeMethodNotAllowed();
    }
  }

  async #show(context: RequestContext): Promise<void> {
    const user = await this.#userOf(context);
    const session = user && (await this.#options.authenticator.sessionOf(context));
    respond(context.exchange, {
      user: user === undefined ? null : shownUser(user),
      ...(user !== undefined && { method: session === undefined ? 'credentials' : 'session' }),
      ...(session !== undefined && { expiresAt: new Date(session.expiresAt).toISOString() }),
    });
  }

  async #userOf(context: RequestContext): Promise<UserInfo | undefined> {
    try {
      const user = await this.#options.authenticate(context);
      return user.groups.includes('system:unauthenticated') ? undefined : user;
    } catch (error) {
      if (error instanceof StatusError && error.status.code === 401) return undefined;
      throw error;
    }
  }

  async #signIn({ exchange }: RequestContext, own: URL): Promise<void> {
    // Browsers send a CORS preflight before a cross-origin request with either of these, so no other page can sign a
    // browser in.
    const isJson = /^application\/json\s*(;|$)/i.test(exchange.header('content-type') ?? '');
    if (!isJson || exchange.header(proofHeader) === undefined) {
      throw forbiddenPath(`a sign-in needs a JSON body and the header ${proofHeader}`);
    }
    const token = tokenIn(await exchange.readBody(maxBodyBytes));
    const { signIns, userOfToken, onSignIn } = this.#options;
    const linked = await signIns.redeem(token);
    const user = linked ?? (await userOfToken(token));
    if (user === undefined) throw unauthorized();
    const { id, proof, expiresAt } = await signIns.begin(user, linked === undefined ? token : undefined);
    onSignIn(user);
    const seconds = Math.floor((expiresAt - Date.now()) / 1000);
    const shown = {
      user: shownUser(user),
      method: 'session',
      expiresAt: new Date(expiresAt).toISOString(),
      proof,
    };
    respond(exchange, shown, sessionCookie(own, id, seconds));
  }

  async #signOut(context: RequestContext, own: URL): Promise<void> {
    const { exchange } = context;
    if (exchange.header(proofHeader) === undefined) throw forbiddenPath(`a sign-out needs the header ${proofHeader}`);
    await this.#options.authenticator.end(context);
    respond(exchange, { user: null }, sessionCookie(own, '', 0));
  }
}

function tokenIn(body: Buffer): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    // The message of the parser would contain parts of the body.
    throw badRequest('the body is not JSON');
  }
  const token = (parsed as { readonly token?: unknown } | null)?.token;
  if (typeof token !== 'string' || token === '') throw badRequest('the body has no token');
  return token;
}

function shownUser({ name, uid, groups, extra }: UserInfo): object {
  return { username: name, uid, groups, extra };
}

function respond(exchange: Exchange, document: object, cookie?: string): void {
  // The deadline may have responded meanwhile.
  if (exchange.responded) return;
  const headers = pageHeaders(exchange, 'application/json');
  headers['cache-control'] = 'no-store';
  if (cookie !== undefined) headers['set-cookie'] = cookie;
  exchange.respond(200, headers, `${JSON.stringify(document)}\n`);
}
