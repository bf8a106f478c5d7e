import { createSignature, isSignedBy, type SignedToken } from '../json-web-token/index.ts';
import { TokenError } from '../token-authenticator.ts';
import type { ServiceAccountKeys, SigningKey, VerificationKey } from './service-account-keys.ts';

/** With these headers a token could supply its own key or change how it must be read. */
const refusedHeaders = ['crit', 'b64', 'jwk', 'jku', 'x5c', 'x5u'];

/** Returns the key that signed the token. Throws a TokenError when no known key did with its own algorithm. */
export function verifySignature(token: SignedToken, keys: ServiceAccountKeys): VerificationKey {
  const { alg, kid = '' } = token.header;
  if (refusedHeaders.some((name) => Object.hasOwn(token.header, name))) throw new TokenError('invalid token header');
  if (typeof alg !== 'string' || typeof kid !== 'string') throw new TokenError('invalid token header');
  const named = kid === '' ? undefined : keys.byId(kid);
  const candidates = kid === '' ? keys.all : named === undefined ? [] : [named];
  if (candidates.length === 0) throw new TokenError('invalid signature, no keys found');
  // The key determines the algorithm, never the token.
  const found = candidates.find(({ key, algorithm }) => algorithm === alg && isSignedBy(key, algorithm, token));
  if (found === undefined) throw new TokenError('invalid signature');
  return found;
}

export function signToken(claims: object, { id, algorithm, privateKey }: SigningKey): string {
  const content = `${encodeSegment({ alg: algorithm, kid: id })}.${encodeSegment(claims)}`;
  return `${content}.${createSignature(privateKey, algorithm, Buffer.from(content)).toString('base64url')}`;
}

function encodeSegment(segment: object): string {
  return Buffer.from(JSON.stringify(segment)).toString('base64url');
}
