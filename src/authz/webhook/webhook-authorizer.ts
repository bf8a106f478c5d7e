import { reviewStatus } from '../../authn/webhook/index.ts';
import type { JsonEndpoint } from '../../client/index.ts';
import { type Answer, KeptAnswers } from '../../meta/kept-answers.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';
import { type Attributes, type Authorizer, type Decision, noOpinion } from '../authorizer.ts';
import type { RuleResolver, UserRules } from '../rule-resolver.ts';
import { unlistedRules } from '../union-rule-resolver.ts';
import { accessReviewOf, questionKey, sentReview, userKey } from './access-review.ts';
import { MatchConditions } from './match-conditions.ts';

const mostKept = 8192;
/** Longer questions are not kept: whoever makes them up could fill the memory with them. */
const longestKept = 10_000;

export interface WebhookAuthorizerOptions {
  readonly endpoint: Pick<JsonEndpoint, 'post' | 'address'>;
  /** Of the SubjectAccessReviews to send and to expect. */
  readonly version: 'v1' | 'v1beta1';
  /** How long a yes counts, and how long anything else; 0 keeps none. */
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** What is said when there is no answer: nothing, or no. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Expressions over `request`, the spec of the review. All must hold for the webhook to be asked. */
  readonly matchConditions?: readonly string[];
  readonly now?: () => number;
}

/** Lets another server decide, by a SubjectAccessReview. Its answers are kept for a while. */
export class WebhookAuthorizer implements Authorizer, RuleResolver {
  readonly #options: WebhookAuthorizerOptions;
  readonly #conditions: MatchConditions;
  readonly #answers: KeptAnswers<Decision>;
  readonly #rules = unlistedRules('webhook');

  /** Throws CelError for a match condition that is none. */
  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
    this.#conditions = new MatchConditions(options.matchConditions ?? []);
    this.#answers = new KeptAnswers({ maximum: mostKept, now: options.now });
  }

  authorize(attributes: Attributes): MaybePromise<Decision> {
    try {
      if (!this.#conditions.isEmpty && !this.#conditions.hold(accessReviewOf(attributes))) return noOpinion;
    } catch (error) {
      return this.#failed(error as Error);
    }
    const question = questionKey(attributes);
    return this.#answers.get(`${userKey(attributes.user)}${question}`, async () => {
      const answer = await this.#ask(attributes);
      return question.length < longestKept ? answer : { ...answer, keptMs: 0 };
    });
  }

  rulesFor(user: UserInfo, namespace: string): MaybePromise<UserRules> {
    return this.#rules.rulesFor(user, namespace);
  }

  async #ask(attributes: Attributes): Promise<Answer<Decision>> {
    const { endpoint, version, authorizedMs, unauthorizedMs } = this.#options;
    const review = { kind: 'SubjectAccessReview', apiVersion: `authorization.k8s.io/${version}` };
    const spec = sentReview(accessReviewOf(attributes), version);
    let answer: unknown;
    try {
      answer = await endpoint.post({ ...review, metadata: {}, spec });
    } catch (error) {
      return { value: this.#failed(error as Error), keptMs: 0 };
    }
    try {
      const { isAllowed, decision } = decisionOf(answer, review);
      return { value: decision, keptMs: isAllowed ? authorizedMs : unauthorizedMs };
    } catch (error) {
      const problem = `webhook ${endpoint.address}: ${(error as Error).message}`;
      return { value: this.#failed(new Error(problem)), keptMs: 0 };
    }
  }

  #failed(error: Error): Decision {
    return { decision: this.#options.failurePolicy === 'Deny' ? 'deny' : 'no-opinion', reason: '', error };
  }
}

function decisionOf(
  answer: unknown,
  review: { readonly kind: string; readonly apiVersion: string },
): { readonly isAllowed: boolean; readonly decision: Decision } {
  const status = reviewStatus(answer, review);
  const isAllowed = status.flag('allowed');
  const isDenied = status.flag('denied');
  const reason = status.text('reason');
  if (isAllowed && isDenied) {
    const error = new Error('webhook subject access review returned both allow and deny response');
    return { isAllowed, decision: { decision: 'deny', reason, error } };
  }
  return { isAllowed, decision: { decision: isDenied ? 'deny' : isAllowed ? 'allow' : 'no-opinion', reason } };
}
