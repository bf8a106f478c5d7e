import { sign, verify } from 'node:crypto';
import { decodeJson } from '../../codec/json/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { TokenError } from '../token-authenticator.ts';
import type { ServiceAccountKeys, SigningKey, VerificationKey } from './service-account-keys.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A JSON Web Token in its compact form, taken apart. Nothing of it is proven before its signature is. */
export interface SignedToken {
  readonly header: Fields;
  readonly claims: Fields;
  /** What the signature is about. */
  readonly content: Buffer;
  readonly signature: Buffer;
}

/** No token of ours is nearly as long; others are not worth the work. */
const longest = 64 * 1024;
const base64Url = /^[A-Za-z0-9_-]*$/;
/** By these a token would bring its own key, or change the meaning of its parts. */
const refusedHeaders = ['crit', 'b64', 'jwk', 'jku', 'x5c', 'x5u'];

/** Undefined when the text is no token of this form, written in the one way in which it can be. */
export function parseToken(token: string): SignedToken | undefined {
  if (token.length > longest) return undefined;
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  const [head = '', body = '', end = ''] = parts;
  const claims = decodedObject(body);
  const header = claims && decodedObject(head);
  const signature = header && decodedBytes(end);
  if (signature === undefined) return undefined;
  const content = Buffer.from(token.slice(0, head.length + 1 + body.length), 'latin1');
  return { header: header!, claims: claims!, content, signature };
}

/** The key that has signed the token. Throws a TokenError when none of ours has, in the way in which it signs. */
export function verifiedKey(token: SignedToken, keys: ServiceAccountKeys): VerificationKey {
  const { alg, kid = '' } = token.header;
  if (refusedHeaders.some((name) => Object.hasOwn(token.header, name))) throw new TokenError('invalid token header');
  if (typeof alg !== 'string' || typeof kid !== 'string') throw new TokenError('invalid token header');
  const named = kid === '' ? undefined : keys.byId(kid);
  const candidates = kid === '' ? keys.all : named === undefined ? [] : [named];
  if (candidates.length === 0) throw new TokenError('invalid signature, no keys found');
  // The key says how it signs, never the token.
  const found = candidates.find((key) => key.algorithm === alg && isSignedBy(token, key));
  if (found === undefined) throw new TokenError('invalid signature');
  return found;
}

export function signedToken(claims: object, { id, algorithm, hash, privateKey }: SigningKey): string {
  const content = `${encoded({ alg: algorithm, kid: id })}.${encoded(claims)}`;
  const signature = sign(hash, Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

function isSignedBy({ content, signature }: SignedToken, { key, hash, signatureBytes }: VerificationKey): boolean {
  if (signature.length !== signatureBytes) return false;
  return verify(hash, content, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Two readers must never see different values in it: an object with repeated keys is none. */
function decodedObject(text: string): Fields | undefined {
  const bytes = decodedBytes(text);
  if (bytes === undefined) return undefined;
  try {
    const { value, duplicates } = decodeJson(bytes);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && duplicates.length === 0 ? (value as Fields) : undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  }
}

function decodedBytes(text: string): Buffer | undefined {
  if (!base64Url.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
