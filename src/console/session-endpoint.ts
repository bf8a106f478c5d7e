import type { Exchange } from '../http/exchange.ts';
import type { RequestContext } from '../http/request-context.ts';
import { badRequest, forbiddenPath, routeMethodNotAllowed, unauthorized } from '../meta/status-error.ts';
import type { UserInfo } from '../meta/user.ts';
import { keepToken } from './kept-credential.ts';
import { respondDocument } from './respond-document.ts';
import type { SessionAuthenticator } from './session-authenticator.ts';
import { proofHeader, sessionCookie } from './session-cookie.ts';
import type { SignIn } from './sign-in.ts';
import type { SignIns } from './sign-ins.ts';
import { isVisitor } from './visitor.ts';

/** The maximum length of an accepted token, and some JSON around it. */
const maxBodyBytes = 65 * 1024;
/** The annotation of the audit event of a sign-in: the request itself is that of a visitor. */
const signedInAnnotation = 'console.keelson/signed-in';

export interface SessionEndpointOptions {
  readonly signIns: SignIns;
  readonly authenticator: SessionAuthenticator;
  readonly onSignIn: (signIn: SignIn) => void;
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
    const user = context.knownUser;
    if (isVisitor(user)) return respondDocument(context.exchange, { user: null });
    const session = await this.#options.authenticator.sessionOf(context);
    respondDocument(context.exchange, {
      user: shownUser(user),
      method: session === undefined ? 'credentials' : 'session',
      ...(session !== undefined && { expiresAt: new Date(session.expiresAt).toISOString() }),
    });
  }

  async #signIn({ exchange }: RequestContext, own: URL): Promise<void> {
    // Browsers send a CORS preflight before a cross-origin request with either of these, so no other page can sign a
    // browser in.
    const isJson = /^application\/json\s*(;|$)/i.test(exchange.header('content-type') ?? '');
    if (!isJson || exchange.header(proofHeader) === undefined) {
      throw forbiddenPath(`a sign-in needs a JSON body and the header ${proofHeader}`);
    }
    const token = tokenIn(await exchange.readBody(maxBodyBytes));
    const { signIns, onSignIn } = this.#options;
    const signIn = (await this.#linked(token)) ?? (await this.#byToken(token, exchange));
    if (signIn === undefined) throw unauthorized();
    const { id, proof, expiresAt } = await signIns.begin(signIn);
    exchange.annotate?.(signedInAnnotation, signIn.user.name);
    onSignIn(signIn);
    const seconds = Math.floor((expiresAt - Date.now()) / 1000);
    const shown = {
      user: shownUser(signIn.user),
      method: 'session',
      expiresAt: new Date(expiresAt).toISOString(),
      proof,
    };
    respondDocument(exchange, shown, sessionCookie(own, id, seconds));
  }

  /** A link is void once the credential of the user who requested it is. */
  async #linked(token: string): Promise<SignIn | undefined> {
    const { signIns, authenticator } = this.#options;
    const signIn = await signIns.redeem(token);
    if (signIn !== undefined && (await authenticator.ownerOf(signIn)) === undefined) throw unauthorized();
    return signIn;
  }

  async #byToken(token: string, { connection }: Exchange): Promise<SignIn | undefined> {
    const credential = keepToken(token, connection);
    const user = await this.#options.authenticator.userOf(credential);
    return user && { user, owner: user, credential, impersonated: undefined, endsAt: undefined };
  }

  async #signOut(context: RequestContext, own: URL): Promise<void> {
    const { exchange } = context;
    if (exchange.header(proofHeader) === undefined) throw forbiddenPath(`a sign-out needs the header ${proofHeader}`);
    await this.#options.authenticator.end(context);
    respondDocument(exchange, { user: null }, sessionCookie(own, '', 0));
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
