import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { explainRejection } from '../explanation.ts';
import { AdmissionReviews, type ReviewedObjects } from './admission-review.ts';
import { callWebhook, checkDeadline } from './call-webhook.ts';
import { fromFirstMatch, shouldCall } from './should-call.ts';
import { VersionedObjects } from './versioned-objects.ts';
import { failClosed, WebhookFailure } from './webhook-failure.ts';
import { type MatchingWebhook, WebhookIndex } from './webhook-index.ts';
import { allRequests, type WebhookDependencies } from './webhook-plugin.ts';

const name = 'ValidatingAdmissionWebhook';

/** Calls the webhooks of ValidatingWebhookConfigurations, all at the same time. */
export function validatingAdmissionWebhook(dependencies: WebhookDependencies): AdmissionPlugin {
  const index = new WebhookIndex('validatingwebhookconfigurations');
  return {
    name,
    rules: allRequests,
    explainsItself: true,
    handles: (operation, target) => index.matching(operation, target).length > 0,
    follow: (source, options) => index.follow(source, options),
    validate(request, reader) {
      const matching = fromFirstMatch(index.matching(request.operation, request.target), request, reader);
      if (matching.length > 0) return new Validation(request, { ...dependencies, reader }).run(matching);
    },
  };
}

interface PreparedCall {
  readonly matching: MatchingWebhook;
  readonly objects: ReviewedObjects;
}

class Validation {
  readonly #request: AdmissionRequest;
  readonly #options: WebhookDependencies & { readonly reader: ObjectReader };
  readonly #reviews: AdmissionReviews;

  constructor(request: AdmissionRequest, options: WebhookDependencies & { readonly reader: ObjectReader }) {
    this.#request = request;
    this.#options = options;
    this.#reviews = new AdmissionReviews(request);
  }

  /** All responses are awaited. Of several rejections the first in the order of webhooks counts. */
  async run(webhooks: readonly MatchingWebhook[]): Promise<void> {
    const calls = await this.#prepared(webhooks);
    if (calls.length === 0) return;
    checkDeadline(this.#request);
    const outcomes = await Promise.allSettled(calls.map((call, position) => this.#call(call, position)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #prepared(webhooks: readonly MatchingWebhook[]): Promise<PreparedCall[]> {
    const objects = new VersionedObjects(this.#request);
    const context = { ...this.#options, request: this.#request, objects, isMutating: false };
    const calls: PreparedCall[] = [];
    for (const matching of webhooks) {
      if (!(await shouldCall(matching, context))) continue;
      const { target } = matching;
      const [object, old] = [await objects.newIn(target), await objects.oldIn(target)];
      calls.push({ matching, objects: { object: object?.text ?? 'null', oldObject: old?.text ?? 'null' } });
    }
    return calls;
  }

  async #call({ matching, objects }: PreparedCall, position: number): Promise<void> {
    const { webhook } = matching;
    const { metrics } = this.#options;
    const invocation = { request: this.#request, reviews: this.#reviews, objects, isMutating: false, metrics };
    const step = { plugin: name, source: webhook.name, phase: 'validate' } as const;
    try {
      await explainRejection(step, this.#request, () =>
        failClosed(webhook, () => callWebhook(this.#options.clients, matching, invocation)),
      );
    } catch (error) {
      if (!(error instanceof WebhookFailure)) throw error;
      const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${position}`;
      this.#request.annotate(key, webhook.name);
    }
  }
}
