import type { RequestContext } from '../http/request-context.ts';
import { forbiddenPath, routeMethodNotAllowed, unauthorized } from '../meta/status-error.ts';
import { type IsIdentifying, keepCredential } from './kept-credential.ts';
import { root } from './paths.ts';
import { respondDocument } from './respond-document.ts';
import type { SessionAuthenticator } from './session-authenticator.ts';
import type { SignIns } from './sign-ins.ts';
import { isVisitor } from './visitor.ts';

export interface LinkEndpointOptions {
  readonly signIns: SignIns;
  readonly authenticator: SessionAuthenticator;
  readonly isIdentifying: IsIdentifying;
}

/** Serves `/console/links`: makes a link that signs in the user of the request. */
export class LinkEndpoint {
  readonly #options: LinkEndpointOptions;

  constructor(options: LinkEndpointOptions) {
    this.#options = options;
  }

  async handle(context: RequestContext): Promise<void> {
    const { exchange, knownUser: user, impersonator: owner = user, requestedUser: impersonated } = context;
    if (exchange.method !== 'POST') throw routeMethodNotAllowed();
    if (isVisitor(user)) throw unauthorized();
    const { signIns, authenticator, isIdentifying } = this.#options;
    const session = await authenticator.sessionOf(context);
    const signIn = {
      user,
      owner,
      // A link that is made in a session depends on what the session depends on.
      credential: session === undefined ? keepCredential(context, isIdentifying) : session.signIn.credential,
      impersonated,
      endsAt: session?.expiresAt,
    };
    if ((await authenticator.ownerOf(signIn)) === undefined) {
      throw forbiddenPath('a credential of this kind cannot be kept for a session of the console');
    }
    const { token, expiresAt } = await signIns.makeLink(signIn);
    respondDocument(exchange, { path: signInPath(token), expiresAt: new Date(expiresAt).toISOString() });
  }
}

/**
 * The path of the page with the token of a link. Browsers do not send the fragment (after `#`), so it does not appear
 * in logs.
 */
export function signInPath(token: string): string {
  return `${root}#token=${token}`;
}
