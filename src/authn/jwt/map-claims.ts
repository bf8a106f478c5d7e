import { CelError, type CelProgram } from '../../cel/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { JwtConfiguration, RuleConfiguration } from '../config/authentication-configuration.ts';
import { TokenError } from '../token-authenticator.ts';
import type { Claims } from './verify-claims.ts';

/** Claims are small. */
const limits = { costLimit: 100_000 };
const credentialId = 'authentication.kubernetes.io/credential-id';

/**
 * Maps verified claims to a user. Throws a TokenError when a validation rule fails or a claim has the wrong type. Can
 * be interrupted inside of expressions and between them.
 */
export function* mapClaims(claims: Claims, configuration: JwtConfiguration): Steps<UserInfo> {
  refuseDistributedGroups(claims, configuration);
  return yield* new ClaimsMapper(claims, configuration).user();
}

class ClaimsMapper {
  readonly #claims: Claims;
  readonly #configuration: JwtConfiguration;

  constructor(claims: Claims, configuration: JwtConfiguration) {
    this.#claims = claims;
    this.#configuration = configuration;
  }

  *user(): Steps<UserInfo> {
    const user = {
      name: yield* this.#name(),
      groups: yield* this.#groups(),
      uid: yield* this.#uid(),
      extra: yield* this.#extra(),
    };
    this.#checkRequiredClaims();
    const { claimRules, userRules } = this.#configuration;
    for (const rule of claimRules) {
      yield* checkRule(rule, { claims: this.#claims }, 'oidc: error evaluating claim validation expression');
    }
    const { name: username, uid, groups, extra } = user;
    const values = { user: { username, uid, groups, extra } };
    for (const rule of userRules) {
      yield* checkRule(rule, values, 'oidc: error evaluating user info validation rule');
    }
    return user;
  }

  *#name(): Steps<string> {
    const { username } = this.#configuration;
    if ('program' in username) {
      const name = yield* this.#string(username.program, 'username');
      if (name === '') throw new TokenError('oidc: empty username via CEL expression is not allowed');
      return name;
    }
    const { claim, prefix } = username;
    const name = this.#stringClaim(claim, `oidc: parse username claims ${goQuote(claim)}`);
    if (claim === 'email') this.#checkEmailVerified();
    if (name === '')
      throw new TokenError(`oidc: parse username claims ${goQuote(claim)}: empty username is not allowed`);
    return `${prefix}${name}`;
  }

  /** An address that the issuer has not verified may belong to someone else. */
  #checkEmailVerified(): void {
    if (!this.#has('email_verified')) return;
    const verified = this.#claims.email_verified;
    if (typeof verified !== 'boolean')
      throw new TokenError("oidc: parse 'email_verified' claim: must be true or false");
    if (!verified) throw new TokenError('oidc: email not verified');
  }

  *#groups(): Steps<readonly string[]> {
    const { groups } = this.#configuration;
    if (groups === undefined) return [];
    if ('program' in groups) {
      return yield* this.#strings(groups.program, 'oidc: error evaluating group claim expression');
    }
    const { claim, prefix } = groups;
    if (!this.#has(claim)) return [];
    const value = this.#claims[claim];
    const all = typeof value === 'string' ? [value] : (value ?? []);
    if (!Array.isArray(all) || !all.every((group) => typeof group === 'string')) {
      throw new TokenError(`oidc: parse groups claim ${goQuote(claim)}: must be a string or a list of strings`);
    }
    return all.map((group) => `${prefix}${group}`);
  }

  *#uid(): Steps<string> {
    const { uid } = this.#configuration;
    if (uid === undefined) return '';
    if ('program' in uid) return yield* this.#string(uid.program, 'uid');
    return this.#stringClaim(uid.claim, `oidc: parse uid claim ${goQuote(uid.claim)}`);
  }

  *#extra(): Steps<Record<string, readonly string[]>> {
    const extra: Record<string, readonly string[]> = {};
    const id = this.#has('jti') ? this.#claims.jti : undefined;
    if (typeof id === 'string' && id !== '') extra[credentialId] = [`JTI=${id}`];
    for (const { key, program } of this.#configuration.extra) {
      const values = yield* this.#strings(program, 'oidc: error evaluating extra claim expression');
      if (values.length > 0) extra[key] = values;
    }
    return extra;
  }

  #checkRequiredClaims(): void {
    for (const { claim, value } of this.#configuration.requiredClaims) {
      if (!this.#has(claim)) throw new TokenError(`oidc: required claim ${claim} not present in ID token`);
      const got = this.#stringClaim(claim, `oidc: parse claim ${claim}`);
      if (got !== value) {
        throw new TokenError(`oidc: required claim ${claim} value does not match. Got = ${got}, want = ${value}`);
      }
    }
  }

  #has(claim: string): boolean {
    return Object.hasOwn(this.#claims, claim);
  }

  #stringClaim(claim: string, problem: string): string {
    if (!this.#has(claim)) throw new TokenError(`${problem}: claim not present`);
    const value = this.#claims[claim];
    if (typeof value !== 'string') throw new TokenError(`${problem}: must be a string`);
    return value;
  }

  *#string(program: CelProgram, what: string): Steps<string> {
    const problem = `oidc: error evaluating ${what} claim expression`;
    const value = yield* evaluateProgram(program, { claims: this.#claims }, problem);
    if (typeof value !== 'string') throw new TokenError(`${problem}: ${what} claim expression must return a string`);
    return value;
  }

  /** Accepts a string or a list of strings. Empty strings are dropped. */
  *#strings(program: CelProgram, problem: string): Steps<readonly string[]> {
    const value = (yield* evaluateProgram(program, { claims: this.#claims }, problem)) ?? [];
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!all.every((text) => typeof text === 'string')) {
      throw new TokenError(`${problem}: expression must return a string or a list of strings`);
    }
    return all.filter((text) => text !== '');
  }
}

type Values = Readonly<Record<string, unknown>>;

function* evaluateProgram(program: CelProgram, values: Values, problem: string): Steps<unknown> {
  if (isTurnOver()) yield;
  try {
    return (yield* program.evaluateInSteps(values, limits)).value;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    throw new TokenError(`${problem}: expression '${program.text}' resulted in error: ${error.message}`);
  }
}

function* checkRule({ program, message }: RuleConfiguration, values: Values, problem: string): Steps<void> {
  if ((yield* evaluateProgram(program, values, problem)) === true) return;
  throw new TokenError(`${problem}: validation expression '${program.text}' failed: ${message}`);
}

/**
 * Distributed claims are not fetched. Ignoring them would drop groups that a rule may depend on, so the token is
 * refused.
 */
function refuseDistributedGroups(claims: Claims, { groups }: JwtConfiguration): void {
  if (groups === undefined || !('claim' in groups) || Object.hasOwn(claims, groups.claim)) return;
  const names = Object.hasOwn(claims, '_claim_names') ? claims._claim_names : undefined;
  if (typeof names === 'object' && names !== null && Object.hasOwn(names, groups.claim)) {
    throw new TokenError('oidc: could not expand distributed claims: they are not supported');
  }
}
