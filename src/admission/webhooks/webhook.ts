import type { WebhookClientConfig } from '../../client/webhook/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectLabelSelector } from '../../meta/object-label-selector.ts';
import { type CompiledConditions, compileConditions, type MatchCondition } from '../expressions/index.ts';
import type { MatchConstraints, MatchRule } from '../matching/index.ts';
import { type ReviewVersion, reviewVersionOf } from './review-version.ts';

const defaultTimeoutSeconds = 10;

/** One webhook of a configuration, ready to be called. */
export interface Webhook {
  readonly name: string;
  /** The name of the object that configures it. */
  readonly configuration: string;
  /** Identifies the webhook among all others. */
  readonly id: string;
  readonly constraints: MatchConstraints;
  /** Compiled when it is first used. */
  readonly conditions: () => CompiledConditions;
  readonly clientConfig: WebhookClientConfig;
  /** Undefined when it understands none that is known here. */
  readonly reviewVersion: ReviewVersion | undefined;
  readonly timeoutMs: number;
  /** Whether requests continue when the webhook cannot be called. */
  readonly ignoresFailures: boolean;
  readonly supportsDryRun: boolean;
  /** Whether it is called again when others changed the object after it. */
  readonly isReinvocable: boolean;
}

/** A webhook as it is stored. Fields may be missing in objects that predate current rules. */
interface StoredWebhook {
  readonly name?: string;
  readonly clientConfig?: WebhookClientConfig;
  readonly rules?: readonly MatchRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: ObjectLabelSelector;
  readonly objectSelector?: ObjectLabelSelector;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
}

/** The webhooks of a configuration in order. */
export function webhooksOf(object: ResourceObject): readonly Webhook[] {
  const { name: configuration = '' } = object.metadata;
  const stored = (object.webhooks ?? []) as readonly StoredWebhook[];
  return stored.map((webhook, index) => {
    const { name = '', matchPolicy, namespaceSelector, objectSelector, sideEffects = '' } = webhook;
    // No rules match nothing, unlike those of a policy.
    const constraints = { matchPolicy, namespaceSelector, objectSelector, resourceRules: webhook.rules ?? [] };
    return {
      name,
      configuration,
      id: `${configuration}/${name}/${index}`,
      constraints: constraints as MatchConstraints,
      conditions: lazily(() => compileConditions(webhook.matchConditions)),
      clientConfig: webhook.clientConfig ?? {},
      reviewVersion: reviewVersionOf(webhook.admissionReviewVersions ?? []),
      timeoutMs: (webhook.timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
      ignoresFailures: webhook.failurePolicy === 'Ignore',
      supportsDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
      isReinvocable: webhook.reinvocationPolicy === 'IfNeeded',
    };
  });
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
