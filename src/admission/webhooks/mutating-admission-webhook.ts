import { goQuote } from '../../meta/go-quote.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { internalError } from '../../meta/status-error.ts';
import type { AdmissionPlugin, MutationPass } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { explainRejection } from '../explanation.ts';
import type { AdmissionResponse } from './admission-response.ts';
import { AdmissionReviews } from './admission-review.ts';
import { callWebhook, checkDeadline } from './call-webhook.ts';
import { MutationAnnotations } from './mutation-annotations.ts';
import { type PatchOperations, patchObject, readPatch } from './patch-object.ts';
import { Reinvocation } from './reinvocation.ts';
import { fromFirstMatch, shouldCall } from './should-call.ts';
import { type VersionedObject, VersionedObjects } from './versioned-objects.ts';
import type { Webhook } from './webhook.ts';
import { failClosed, WebhookFailure } from './webhook-failure.ts';
import { type MatchingWebhook, WebhookIndex } from './webhook-index.ts';
import { allRequests, type WebhookDependencies } from './webhook-plugin.ts';

const name = 'MutatingAdmissionWebhook';

/** Calls the webhooks of MutatingWebhookConfigurations, one after the other. Each sees the changes of those before. */
export function mutatingAdmissionWebhook(dependencies: WebhookDependencies): AdmissionPlugin {
  const index = new WebhookIndex('mutatingwebhookconfigurations');
  return {
    name,
    rules: allRequests,
    explainsItself: true,
    handles: (operation, target) => index.matching(operation, target).length > 0,
    follow: (source, options) => index.follow(source, options),
    mutate(request, reader, pass) {
      const matching = fromFirstMatch(index.matching(request.operation, request.target), request, reader);
      if (matching.length === 0) return undefined;
      return new Mutation(request, { ...dependencies, reader, pass }).run(matching);
    },
  };
}

interface MutationOptions extends WebhookDependencies {
  readonly reader: ObjectReader;
  readonly pass: MutationPass;
}

/** One run of the mutation phase of a request. */
class Mutation {
  readonly #options: MutationOptions;
  readonly #objects: VersionedObjects;
  readonly #reviews: AdmissionReviews;
  readonly #reinvocation: Reinvocation;
  #request: AdmissionRequest;

  constructor(request: AdmissionRequest, options: MutationOptions) {
    this.#request = request;
    this.#options = options;
    this.#objects = new VersionedObjects(request);
    this.#reviews = new AdmissionReviews(request);
    this.#reinvocation = Reinvocation.of(options.pass, name, request.object);
  }

  async run(webhooks: readonly MatchingWebhook[]): Promise<ResourceObject | undefined> {
    for (const matching of webhooks) if (await this.#isCalled(matching)) await this.#call(matching);
    const replaced = await this.#objects.replaced();
    this.#reinvocation.end(replaced ?? this.#request.object);
    return replaced;
  }

  async #isCalled(matching: MatchingWebhook): Promise<boolean> {
    const context = { ...this.#options, request: this.#request, objects: this.#objects, isMutating: true };
    if (!(await shouldCall(matching, context))) return false;
    return !this.#options.pass.isReinvocation || this.#reinvocation.isDue(matching.webhook.id);
  }

  async #call(matching: MatchingWebhook): Promise<void> {
    const { webhook } = matching;
    const annotations = new MutationAnnotations(this.#request, matching, this.#options.pass);
    let isChanged = false;
    try {
      isChanged = await explainRejection(stepOf(webhook), this.#request, () =>
        failClosed(webhook, () => this.#changed(matching, annotations)),
      );
    } catch (error) {
      if (!(error instanceof WebhookFailure)) throw error;
      annotations.failedOpen();
      checkDeadline(this.#request);
    } finally {
      annotations.called({ isChanged });
    }
    if (isChanged) {
      this.#reinvocation.changed();
      this.#options.pass.reinvoke();
    }
    if (webhook.isReinvocable) this.#reinvocation.called(webhook.id);
  }

  async #changed(matching: MatchingWebhook, annotations: MutationAnnotations): Promise<boolean> {
    const { webhook, target } = matching;
    const [before, old] = [await this.#objects.newIn(target), await this.#objects.oldIn(target)];
    const response = await callWebhook(this.#options.clients, matching, {
      request: this.#request,
      reviews: this.#reviews,
      objects: { object: before?.text ?? 'null', oldObject: old?.text ?? 'null' },
      isMutating: true,
      metrics: this.#options.metrics,
    });
    const patch = patchOf(response, { webhook, before });
    if (patch === undefined) return false;
    const { object, isChanged } = patchObject(patch.before, patch.operations, target);
    annotations.patched(patch.operations);
    if (isChanged) this.#request.explain?.({ ...stepOf(webhook), patch: patch.operations });
    this.#objects.replace(object, target);
    this.#request = { ...this.#request, object };
    return isChanged;
  }
}

function stepOf({ name: source }: Webhook) {
  return { plugin: name, source, phase: 'mutate' } as const;
}

interface Patch {
  readonly operations: PatchOperations;
  readonly before: ResourceObject;
}

/** Undefined when the webhook changes nothing. */
function patchOf(
  { patch, patchType }: AdmissionResponse,
  { webhook, before }: { readonly webhook: Webhook; readonly before: VersionedObject | undefined },
): Patch | undefined {
  if (patch === undefined) return undefined;
  const operations = readPatch(patch);
  if (operations.length === 0) return undefined;
  if (before === undefined) {
    const problem = 'attempted to modify the object, which is not supported for this operation';
    throw internalError(`admission webhook ${goQuote(webhook.name)} ${problem}`);
  }
  if (patchType !== 'JSONPatch') throw new WebhookFailure(webhook.name, `unsupported patch type ${goQuote(patchType)}`);
  return { operations, before: before.object };
}
