import type { JsonEndpoint } from '../../client/index.ts';
import { AsyncCache } from '../../meta/async-cache.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { type TokenAuthenticator, TokenError, type TokenUser, tokenDigest } from '../token-authenticator.ts';
import { reviewStatus } from './response-fields.ts';

const maxKept = 4096;
const defaultCacheMs = 120_000;

export interface WebhookTokenOptions {
  readonly endpoint: Pick<JsonEndpoint, 'post' | 'address'>;
  /** API version of the TokenReviews that are sent and expected. */
  readonly version: 'v1' | 'v1beta1';
  /** How long a response is cached. 0 disables the cache. */
  readonly cacheMs?: number;
  /** The audiences of this server. They apply when the response names none. */
  readonly audiences: readonly string[];
  readonly now?: () => number;
}

/**
 * Authenticates tokens by sending a TokenReview to another server. Positive and negative responses are cached, errors
 * are not. Concurrent requests for the same token share one review.
 */
export class WebhookTokenAuthenticator implements TokenAuthenticator {
  readonly #options: WebhookTokenOptions;
  readonly #users: AsyncCache<TokenUser | undefined>;

  constructor(options: WebhookTokenOptions) {
    this.#options = options;
    this.#users = new AsyncCache({ maxSize: maxKept, now: options.now });
  }

  authenticateToken(token: string, audiences: readonly string[]): MaybePromise<TokenUser | undefined> {
    const key = `${tokenDigest(token)}${JSON.stringify(audiences)}`;
    const { cacheMs: keptMs = defaultCacheMs } = this.#options;
    return this.#users.get(key, async () => ({ value: await this.#review(token, audiences), ttlMs: keptMs }));
  }

  async #review(token: string, audiences: readonly string[]): Promise<TokenUser | undefined> {
    const { endpoint, version } = this.#options;
    const review = { kind: 'TokenReview', apiVersion: `authentication.k8s.io/${version}` };
    const spec = { token, ...(audiences.length > 0 && { audiences }) };
    const response = await endpoint.post({ ...review, metadata: {}, spec });
    try {
      return this.#found(reviewStatus(response, review), audiences);
    } catch (error) {
      if (error instanceof TokenError) throw error;
      throw new Error(`webhook ${endpoint.address}: ${(error as Error).message}`);
    }
  }

  #found(status: ReturnType<typeof reviewStatus>, wanted: readonly string[]): TokenUser | undefined {
    const named = status.texts('audiences');
    const audiences = wanted.filter((one) => (named.length > 0 ? named : this.#options.audiences).includes(one));
    if (audiences.length === 0 && wanted.length > 0) return undefined;
    if (!status.flag('authenticated')) {
      const error = status.text('error');
      if (error !== '') throw new TokenError(error);
      return undefined;
    }
    const user = status.fields('user');
    const name = user.text('username');
    if (name === '') throw new Error('status.user.username must not be empty');
    return {
      user: { name, uid: user.text('uid'), groups: user.texts('groups'), extra: user.textLists('extra') },
      audiences,
    };
  }
}
