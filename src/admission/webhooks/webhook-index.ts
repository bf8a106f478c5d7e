import type { StoredType } from '../../meta/object-reader.ts';
import type { AdmissionOperation, AdmissionTarget } from '../admission-request.ts';
import { FollowedObjects } from '../followed-objects.ts';
import { isExemptFromWebhooks, matchTarget } from '../matching/index.ts';
import type { FollowOptions, ObjectSource } from '../object-source.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

/** A webhook whose rules match requests to an endpoint. */
export interface MatchingWebhook {
  readonly webhook: Webhook;
  /** The index among all webhooks, which audit annotations contain. */
  readonly index: number;
  /** The endpoint as which the requests match, whose version the webhook gets. */
  readonly target: AdmissionTarget;
}

type MatchesByOperation = Map<AdmissionOperation, readonly MatchingWebhook[]>;

const none: readonly MatchingWebhook[] = [];

/** All webhooks of one kind of configuration, in order: by the name of the configuration, then as listed there. */
export class WebhookIndex {
  readonly #configurations: FollowedObjects<readonly Webhook[]>;
  #matches = new WeakMap<AdmissionTarget, MatchesByOperation>();
  #webhooks: readonly Webhook[] = [];
  #generation = 0;

  constructor(resource: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations') {
    const type: StoredType = { group: 'admissionregistration.k8s.io', version: 'v1', resource };
    this.#configurations = new FollowedObjects(type, webhooksOf);
  }

  follow(source: ObjectSource, options: FollowOptions): Promise<void> {
    return this.#configurations.follow(source, options);
  }

  /** The webhooks whose rules match such requests. Repeated calls cost little. */
  matching(operation: AdmissionOperation, target: AdmissionTarget): readonly MatchingWebhook[] {
    this.#refresh();
    if (this.#webhooks.length === 0) return none;
    const byOperation = this.#matchesOf(target);
    const known = byOperation.get(operation);
    if (known !== undefined) return known;
    const found = isExemptFromWebhooks(target) ? none : this.#find(operation, target);
    byOperation.set(operation, found);
    return found;
  }

  #refresh(): void {
    const { generation, values } = this.#configurations;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#webhooks = values.flat();
    this.#matches = new WeakMap();
  }

  #matchesOf(target: AdmissionTarget): MatchesByOperation {
    const known = this.#matches.get(target);
    if (known !== undefined) return known;
    const matches: MatchesByOperation = new Map();
    this.#matches.set(target, matches);
    return matches;
  }

  #find(operation: AdmissionOperation, target: AdmissionTarget): readonly MatchingWebhook[] {
    return this.#webhooks.flatMap((webhook, index) => {
      if (webhook.constraints.resourceRules?.length === 0) return [];
      const matched = matchTarget(webhook.constraints, operation, target);
      return matched === undefined ? [] : [{ webhook, index, target: matched }];
    });
  }
}
