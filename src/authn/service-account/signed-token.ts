import { isSignedBy, type SignedToken, signatureOf } from '../json-web-token/index.ts';
import { TokenError } from '../token-authenticator.ts';
import type { ServiceAccountKeys, SigningKey, VerificationKey } from './service-account-keys.ts';

/** By these a token would bring its own key, or change the meaning of its parts. */
const refusedHeaders = ['crit', 'b64', 'jwk', 'jku', 'x5c', 'x5u'];

/** The key that has signed the token. Throws a TokenError when none of ours has, in the way in which it signs. */
export function verifiedKey(token: SignedToken, keys: ServiceAccountKeys): VerificationKey {
  const { alg, kid = '' } = token.header;
  if (refusedHeaders.some((name) => Object.hasOwn(token.header, name))) throw new TokenError('invalid token header');
  if (typeof alg !== 'string' || typeof kid !== 'string') throw new TokenError('invalid token header');
  const named = kid === '' ? undefined : keys.byId(kid);
  const candidates = kid === '' ? keys.all : named === undefined ? [] : [named];
  if (candidates.length === 0) throw new TokenError('invalid signature, no keys found');
  // The key says how it signs, never the token.
  const found = candidates.find(({ key, algorithm }) => algorithm === alg && isSignedBy(key, algorithm, token));
  if (found === undefined) throw new TokenError('invalid signature');
  return found;
}

export function signedToken(claims: object, { id, algorithm, privateKey }: SigningKey): string {
  const content = `${encoded({ alg: algorithm, kid: id })}.${encoded(claims)}`;
  return `${content}.${signatureOf(privateKey, algorithm, Buffer.from(content)).toString('base64url')}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
