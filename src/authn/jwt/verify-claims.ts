import { goQuote, goQuoteList } from '../../meta/go-quote.ts';
import type { JwtConfiguration } from '../config/authentication-configuration.ts';
import { TokenError } from '../token-authenticator.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Tolerated clock skew. It applies to `nbf` only: a token is never valid after `exp`. */
const leewaySeconds = 60;
/** Bounds what error messages quote from an unverified token. */
const maxShown = 10;
const maxShownLength = 100;
const latestSecond = 253_402_300_799;

/** Checks audience, expiry and `nbf`, and returns the expiry in milliseconds since 1970. Throws a TokenError. */
export function verifyClaims(claims: Claims, { issuer }: JwtConfiguration, now: number): number {
  const audiences = audiencesOf(claims.aud);
  if (!audiences.some((audience) => issuer.audiences.includes(audience))) {
    const expected = goQuoteList([...issuer.audiences].sort());
    throw verificationError(
      `oidc: expected audience in ${expected} got [${audiences.slice(0, maxShown).map(quoteShortened).join(' ')}]`,
    );
  }
  const [expires, notBefore] = [timeOf(claims, 'exp'), timeOf(claims, 'nbf')];
  timeOf(claims, 'iat');
  const seconds = now / 1000;
  if (expires === undefined) throw verificationError('oidc: token has no expiry (exp)');
  if (seconds >= expires) throw verificationError(`oidc: token is expired (Token Expiry: ${timeText(expires)})`);
  if (notBefore !== undefined && seconds + leewaySeconds < notBefore) {
    throw verificationError(
      `oidc: current time ${timeText(seconds)} before the nbf (not before) time: ${timeText(notBefore)}`,
    );
  }
  return expires * 1000;
}

export function verificationError(reason: string): TokenError {
  return new TokenError(`oidc: verify token: ${reason}`);
}

/** Quotes a string from a token for an error message, shortened if needed. */
export function quoteShortened(text: string): string {
  return goQuote(text.length > maxShownLength ? `${text.slice(0, maxShownLength)}...` : text);
}

function audiencesOf(audience: unknown): readonly string[] {
  if (typeof audience === 'string') return [audience];
  if (audience === undefined || audience === null) return [];
  if (Array.isArray(audience) && audience.every((item) => typeof item === 'string')) return audience;
  throw verificationError('oidc: failed to unmarshal claims: aud must be a string or a list of strings');
}

/** Seconds since 1970. */
function timeOf(claims: Claims, name: string): number | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0 && value <= latestSecond) return value;
  throw verificationError(`oidc: failed to unmarshal claims: ${name} must be a number of seconds since 1970`);
}

function timeText(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}
