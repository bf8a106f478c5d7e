import { unauthorized } from '../meta/status-error.ts';
import type { Authenticator, Credentials } from './authenticator.ts';

// One space, as kube-apiserver has it: with more of them the header carries no credential.
const bearer = /^bearer [^ ]/i;

/** Refuses every bearer token: there are no tokens yet, and a wrong credential must never pass for a missing one. */
export const noBearerTokens: Authenticator = {
  authenticate(credentials: Credentials): undefined {
    const authorization = credentials.header('authorization');
    if (authorization !== undefined && bearer.test(authorization)) throw unauthorized();
    return undefined;
  },
};
