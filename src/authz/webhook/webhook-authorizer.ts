import { reviewStatus } from '../../authn/webhook/index.ts';
import { DeadlineError, JsonEndpoint, type ReadFileSync, readKubeconfig } from '../../client/index.ts';
import { AsyncCache, type CacheableValue } from '../../meta/async-cache.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Meter } from '../../meta/meter.ts';
import { StatusError } from '../../meta/status-error.ts';
import { inTurns } from '../../meta/turns.ts';
import type { UserInfo } from '../../meta/user.ts';
import { type Attributes, type Authorizer, type Decision, noOpinion } from '../authorizer.ts';
import type { WebhookConfiguration } from '../modes/authorization-configuration.ts';
import type { OpenWebhook } from '../modes/index.ts';
import type { RuleResolver, UserRules } from '../rule-resolver.ts';
import { incompleteRules } from '../union-rule-resolver.ts';
import { accessReviewOf, attributesKey, formatReview, userKey } from './access-review.ts';
import { MatchConditions } from './match-conditions.ts';
import { type CallResult, WebhookMetrics } from './webhook-metrics.ts';

const maxKept = 8192;
/** Longer keys are not cached, because clients could fill the memory with them. */
const maxKeptLength = 10_000;

export interface WebhookAuthorizerOptions {
  readonly endpoint: Pick<JsonEndpoint, 'post' | 'address'>;
  /** API version of the SubjectAccessReviews that are sent and expected. */
  readonly version: 'v1' | 'v1beta1';
  /** How long an `allow` and any other decision are cached. 0 disables the cache. */
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** The decision when the webhook fails. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Expressions over `request`, the spec of the review. The webhook is called only if all are true. */
  readonly matchConditions?: readonly string[];
  readonly metrics?: WebhookMetrics | undefined;
  readonly now?: () => number;
}

/** Delegates decisions to another server with a SubjectAccessReview and caches them. */
export class WebhookAuthorizer implements Authorizer, RuleResolver {
  readonly #options: WebhookAuthorizerOptions;
  readonly #conditions: MatchConditions;
  readonly #decisions: AsyncCache<Decision>;
  readonly #rules = incompleteRules('webhook');

  /** Throws a CelError for an invalid match condition. */
  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
    this.#conditions = new MatchConditions(options.matchConditions ?? []);
    this.#decisions = new AsyncCache({ maxSize: maxKept, now: options.now });
  }

  authorize(attributes: Attributes): MaybePromise<Decision> {
    if (this.#conditions.isEmpty) return this.#decide(attributes);
    const startedAt = performance.now();
    const checked = (result: 'match' | 'exclude' | 'error'): void =>
      this.#options.metrics?.conditionsChecked(performance.now() - startedAt, result);
    const settle = (holds: boolean): MaybePromise<Decision> => {
      checked(holds ? 'match' : 'exclude');
      return holds ? this.#decide(attributes) : noOpinion;
    };
    const fail = (error: Error): Decision => {
      checked('error');
      return this.#failed(error);
    };
    try {
      const holds = inTurns(this.#conditions.hold(accessReviewOf(attributes)));
      return holds instanceof Promise ? holds.then(settle, fail) : settle(holds);
    } catch (error) {
      return fail(error as Error);
    }
  }

  #decide(attributes: Attributes): MaybePromise<Decision> {
    const key = attributesKey(attributes);
    return this.#decisions.get(`${userKey(attributes.user)}${key}`, async () => {
      const decided = await this.#review(attributes);
      return key.length < maxKeptLength ? decided : { ...decided, ttlMs: 0 };
    });
  }

  rulesFor(user: UserInfo, namespace: string): MaybePromise<UserRules> {
    return this.#rules.rulesFor(user, namespace);
  }

  async #review(attributes: Attributes): Promise<CacheableValue<Decision>> {
    const { endpoint, version, authorizedMs, unauthorizedMs } = this.#options;
    const review = { kind: 'SubjectAccessReview', apiVersion: `authorization.k8s.io/${version}` };
    const spec = formatReview(accessReviewOf(attributes), version);
    const startedAt = performance.now();
    const ended = (result: CallResult): void => {
      this.#options.metrics?.called(performance.now() - startedAt, result);
      if (result !== 'success' && this.#options.failurePolicy === 'NoOpinion')
        this.#options.metrics?.failedOpen(result);
    };
    let response: unknown;
    try {
      response = await endpoint.post({ ...review, metadata: {}, spec });
    } catch (error) {
      // This server stops, which is no failure of the webhook.
      if (error instanceof StatusError) throw error;
      ended((error as Error).cause instanceof DeadlineError ? 'timeout' : 'error');
      return { value: this.#failed(error as Error), ttlMs: 0 };
    }
    try {
      const { isAllowed, decision } = decisionOf(response, review);
      ended('success');
      return { value: decision, ttlMs: isAllowed ? authorizedMs : unauthorizedMs };
    } catch (error) {
      ended('error');
      const problem = `webhook ${endpoint.address}: ${(error as Error).message}`;
      return { value: this.#failed(new Error(problem)), ttlMs: 0 };
    }
  }

  #failed(error: Error): Decision {
    return { decision: this.#options.failurePolicy === 'Deny' ? 'deny' : 'no-opinion', reason: '', error };
  }
}

interface OpenOptions {
  readonly name: string;
  readonly meter?: Meter | undefined;
  /** Reads the kubeconfig and the files that it names. */
  readonly read?: ReadFileSync | undefined;
  /** Abort it to end the calls. */
  readonly stop?: AbortSignal | undefined;
}

/** Throws a RangeError for an unusable kubeconfig. */
export function openWebhook(
  configuration: WebhookConfiguration,
  { name, meter, read, stop }: OpenOptions,
): OpenWebhook {
  const { kubeConfigFile, timeoutMs, ...rest } = configuration;
  const metrics = new WebhookMetrics(name, meter);
  const endpoint = new JsonEndpoint(readKubeconfig(kubeConfigFile, read), { timeoutMs, meter, stop });
  return { authorizer: new WebhookAuthorizer({ endpoint, metrics, ...rest }), close: () => endpoint.close() };
}

function decisionOf(
  response: unknown,
  review: { readonly kind: string; readonly apiVersion: string },
): { readonly isAllowed: boolean; readonly decision: Decision } {
  const status = reviewStatus(response, review);
  const isAllowed = status.flag('allowed');
  const isDenied = status.flag('denied');
  const reason = status.text('reason');
  if (isAllowed && isDenied) {
    const error = new Error('webhook subject access review returned both allow and deny response');
    return { isAllowed, decision: { decision: 'deny', reason, error } };
  }
  return { isAllowed, decision: { decision: isDenied ? 'deny' : isAllowed ? 'allow' : 'no-opinion', reason } };
}
