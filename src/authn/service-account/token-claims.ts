import { goQuote } from '../../meta/go-quote.ts';
import { TokenError } from '../token-authenticator.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Another object, as a token names it. */
export interface ClaimedObject {
  readonly name: string;
  /** Empty when the token does not say. */
  readonly uid: string;
}

/** What a token says of its owner. */
export interface AccountClaims {
  readonly namespace: string;
  readonly account: ClaimedObject;
  readonly pod: ClaimedObject | undefined;
  readonly secret: ClaimedObject | undefined;
  readonly node: ClaimedObject | undefined;
}

/** Who has signed the tokens that secrets hold, whatever the server's issuer is called. */
export const legacyIssuer = 'kubernetes/serviceaccount';
export const legacyClaim = {
  namespace: 'kubernetes.io/serviceaccount/namespace',
  secret: 'kubernetes.io/serviceaccount/secret.name',
  account: 'kubernetes.io/serviceaccount/service-account.name',
  accountUid: 'kubernetes.io/serviceaccount/service-account.uid',
};
/** Clocks of different machines may differ by so much. */
export const leewaySeconds = 60;

/** The name by which a service account is known as a user. */
export function accountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** When the token ends, in seconds since 1970; undefined when it does not. Throws a TokenError when it is not good at the time. */
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

/** Which of the wanted audiences the token is for. Throws a TokenError when it is for none; `implied` is for one that names none. */
export function sharedAudiences(
  { aud }: Claims,
  { wanted, implied }: { wanted: readonly string[]; implied: readonly string[] },
): string[] {
  const given = (aud === undefined || aud === null ? [] : Array.isArray(aud) ? aud : [aud]) as unknown[];
  if (!given.every((audience) => typeof audience === 'string')) throw malformed('aud');
  const named = given.length === 0 ? implied : given;
  const shared = named.filter((audience) => wanted.includes(audience));
  if (shared.length > 0) return shared;
  throw new TokenError(`token audiences ${listed(named)} is invalid for the target audiences ${listed(wanted)}`);
}

/** Throws a TokenError when something is missing that every token has. */
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
  };
}

/** The text of a claim; a TokenError says that `title` is missing when it is empty. */
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

/** A slash in it would lead to another object. */
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

function listed(audiences: readonly string[]): string {
  return `[${audiences.map(goQuote).join(' ')}]`;
}
