import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import { type Counter, type Meter, noMeter } from '../../meta/meter.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { serviceAccountUser, type UserInfo } from '../../meta/user.ts';
import { parseToken } from '../json-web-token/index.ts';
import type { TokenAuthenticator, TokenUser } from '../token-authenticator.ts';
import { RequiredObjects } from './required-objects.ts';
import type { ServiceAccountKeys } from './service-account-keys.ts';
import { verifySignature } from './signed-token.ts';
import {
  type AccountClaims,
  accountClaims,
  checkTime,
  leewaySeconds,
  legacyIssuer,
  sharedAudiences,
} from './token-claims.ts';
import { boundTokenObjects, legacyTokenObjects } from './token-objects.ts';

export interface ServiceAccountTokenAuthenticatorOptions {
  readonly keys: ServiceAccountKeys;
  /** Accepted issuers: the one that signs, and former ones. */
  readonly issuers: readonly string[];
  /** Audiences of the API server. */
  readonly audiences: readonly string[];
  readonly objects: Pick<ObjectReader, 'get'>;
  /** Counts tokens by their kind. */
  readonly meter?: Meter;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
}

/** Authenticates service account tokens: those of the TokenRequest API and the legacy tokens in secrets. */
export class ServiceAccountTokenAuthenticator implements TokenAuthenticator {
  readonly #options: ServiceAccountTokenAuthenticatorOptions;
  readonly #issuers: ReadonlySet<unknown>;
  readonly #now: () => number;
  readonly #accepted: TokenCounters;

  /** Throws a RangeError for invalid issuers. */
  constructor(options: ServiceAccountTokenAuthenticatorOptions) {
    checkIssuers(options.issuers);
    this.#options = options;
    this.#issuers = new Set([...options.issuers, legacyIssuer]);
    this.#now = options.now ?? Date.now;
    this.#accepted = tokenCounters(options.meter ?? noMeter);
  }

  authenticateToken(token: string, audiences: readonly string[]): MaybePromise<TokenUser | undefined> {
    const parsed = parseToken(token);
    if (parsed === undefined || !this.#issuers.has(parsed.claims.iss)) return undefined;
    const { keys, issuers, objects, audiences: implied } = this.#options;
    const { id: keyId } = verifySignature(parsed, keys);
    const { claims } = parsed;
    const wanted = audiences.length === 0 ? implied : audiences;
    const shared = sharedAudiences(claims, { wanted, implied });
    // Tokens of the legacy issuer are legacy tokens, unless this server is configured to issue under the same name.
    const isAlsoOurs = issuers.includes(legacyIssuer) && claims['kubernetes.io'] !== undefined;
    const isLegacy = claims.iss === legacyIssuer && !isAlsoOurs;
    const exp = checkTime(claims, this.#now() / 1000);
    const { account, needed } = isLegacy ? legacyTokenObjects(token, claims) : this.#boundTokenObjects(claims);
    const required = new RequiredObjects(objects, needed);
    return mapMaybe(required.check(), () => {
      this.#accepted[isLegacy ? 'legacy' : this.#isStale(account) ? 'stale' : 'valid'].add();
      return {
        user: userOf(account, claims.jti),
        audiences: shared,
        ...(exp !== undefined && { expiresAt: (exp + leewaySeconds) * 1000 }),
        isStillValid: () => keys.byId(keyId) !== undefined && required.areStillValid(),
      };
    });
  }

  /**
   * Whether the client should have requested a new token. Tokens are valid for a year only for the sake of clients that
   * never do so.
   */
  #isStale({ warnAfter }: AccountClaims): boolean {
    return warnAfter !== undefined && this.#now() / 1000 > warnAfter;
  }

  #boundTokenObjects(claims: Readonly<Record<string, unknown>>) {
    const account = accountClaims(claims);
    return { account, needed: boundTokenObjects(account, this.#now) };
  }
}

type TokenCounters = Readonly<Record<'legacy' | 'valid' | 'stale', Counter>>;

/** Uses the names of kube-apiserver. Cached tokens are not counted again. */
function tokenCounters(meter: Meter): TokenCounters {
  const counter = (kind: string, help: string): Counter =>
    meter.counter({ name: `serviceaccount_${kind}_tokens_total`, help, labels: [] }).of();
  return {
    legacy: counter('legacy', 'Tokens of secrets that were accepted.'),
    valid: counter('valid', 'Tokens of the TokenRequest API that were accepted.'),
    stale: counter('stale', 'The same after the time at which their clients should have replaced them.'),
  };
}

function checkIssuers(issuers: readonly string[]): void {
  for (const [index, issuer] of issuers.entries()) {
    if (issuer === '') throw new RangeError('service-account-issuer can not be an empty string');
    if (issuer.includes(':') && !URL.canParse(issuer)) {
      throw new RangeError(`service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL`);
    }
    if (issuers.indexOf(issuer) !== index) {
      throw new RangeError(`service-account-issuer ${JSON.stringify(issuer)} is given twice`);
    }
  }
}

function userOf({ namespace, account, pod, node }: AccountClaims, jti: unknown): UserInfo {
  const extra: Record<string, string[]> = {};
  const add = (key: string, value: string | undefined): void => {
    if (value) extra[`authentication.kubernetes.io/${key}`] = [value];
  };
  add('credential-id', typeof jti === 'string' && jti !== '' ? `JTI=${jti}` : undefined);
  add('node-name', node?.name);
  add('node-uid', node?.uid);
  add('pod-name', pod?.name);
  add('pod-uid', pod?.uid);
  return { ...serviceAccountUser(namespace, account.name), uid: account.uid, extra };
}
