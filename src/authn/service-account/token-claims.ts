import { goQuoteList } from '../../meta/go-quote.ts';
import { TokenError } from '../token-authenticator.ts';

type Claims = Readonly<Record<string, unknown>>;

/** An object that a token refers to. */
export interface ClaimedObject {
  readonly name: string;
  /** Empty when the token does not contain it. */
  readonly uid: string;
}

/** The claims about the service account and the objects that the token is bound to. */
export interface AccountClaims {
  readonly namespace: string;
  readonly account: ClaimedObject;
  readonly pod: ClaimedObject | undefined;
  readonly secret: ClaimedObject | undefined;
  readonly node: ClaimedObject | undefined;
  /** When the client should have another token, in seconds since 1970. */
  readonly warnAfter?: number | undefined;
}

/** Issuer of the legacy tokens in secrets, independent of the server's configured issuer. */
export const legacyIssuer = 'kubernetes/serviceaccount';
export const legacyClaim = {
  namespace: 'kubernetes.io/serviceaccount/namespace',
  secret: 'kubernetes.io/serviceaccount/secret.name',
  account: 'kubernetes.io/serviceaccount/service-account.name',
  accountUid: 'kubernetes.io/serviceaccount/service-account.uid',
};
/** Tolerated clock skew. */
export const leewaySeconds = 60;

/** Returns the user name of a service account. */
export function accountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/**
 * Returns the expiry in seconds since 1970, or undefined when the token never expires. Throws a TokenError when the
 * token is not valid at `now`.
 */
export function checkTime(claims: Claims, now: number): number | undefined {
  const exp = timeClaim(claims, 'exp');
  if (exp !== undefined && now - leewaySeconds > exp) throw new TokenError('service account token has expired');
  if (now + leewaySeconds < (timeClaim(claims, 'nbf') ?? now)) {
    throw new TokenError('service account token is not valid yet');
  }
  if (now + leewaySeconds < (timeClaim(claims, 'iat') ?? now)) {
    throw new TokenError('service account token is issued in the future');
  }
  return exp;
}

/**
 * Returns the audiences of the token that are also in `wanted`. A token that names no audience has those in `implied`.
 * Throws a TokenError when none is shared.
 */
export function sharedAudiences(
  { aud }: Claims,
  { wanted, implied }: { wanted: readonly string[]; implied: readonly string[] },
): string[] {
  const given = (aud === undefined || aud === null ? [] : Array.isArray(aud) ? aud : [aud]) as unknown[];
  if (!given.every((audience) => typeof audience === 'string')) throw malformed('aud');
  const named = given.length === 0 ? implied : given;
  const shared = named.filter((audience) => wanted.includes(audience));
  if (shared.length > 0) return shared;
  throw new TokenError(
    `token audiences ${goQuoteList(named)} is invalid for the target audiences ${goQuoteList(wanted)}`,
  );
}

/** Throws a TokenError when a mandatory claim is missing. */
export function accountClaims(claims: Claims): AccountClaims {
  const own = objectClaim(claims, 'kubernetes.io');
  const account = own && referenceClaim(own, 'serviceaccount');
  if (account === undefined) throw malformed('kubernetes.io');
  return {
    namespace: nameClaim(own!, 'namespace'),
    account,
    pod: referenceClaim(own!, 'pod'),
    secret: referenceClaim(own!, 'secret'),
    node: referenceClaim(own!, 'node'),
    warnAfter: typeof own!.warnafter === 'number' ? own!.warnafter : undefined,
  };
}

/** Returns a string claim. Throws a TokenError that reports `title` as missing when it is empty. */
export function requiredClaim(claims: Claims, name: string, title: string): string {
  const value = textClaim(claims, name);
  if (value === '') throw new TokenError(`${title} claim is missing`);
  if (value.includes('/')) throw malformed(name);
  return value;
}

function referenceClaim(claims: Claims, name: string): ClaimedObject | undefined {
  const reference = objectClaim(claims, name);
  return reference && { name: nameClaim(reference, 'name'), uid: textClaim(reference, 'uid') };
}

/** A slash would address another object. */
function nameClaim(claims: Claims, name: string): string {
  const value = textClaim(claims, name);
  if (value === '' || value.includes('/')) throw malformed(name);
  return value;
}

function objectClaim(claims: Claims, name: string): Claims | undefined {
  const value = claims[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw malformed(name);
  return value as Claims;
}

function textClaim(claims: Claims, name: string): string {
  const value = claims[name] ?? '';
  if (typeof value !== 'string') throw malformed(name);
  return value;
}

function timeClaim(claims: Claims, name: string): number | undefined {
  const value = claims[name] ?? undefined;
  if (value !== undefined && typeof value !== 'number') throw malformed(name);
  return value;
}

function malformed(claim: string): TokenError {
  return new TokenError(`service account token has an invalid ${claim} claim`);
}
