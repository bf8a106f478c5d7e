import type { Authorizer } from '../../authz/index.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { forbidden } from '../../meta/status-error.ts';
import type { AdmissionMetrics } from '../admission-metrics.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { ExpressionInputs, evaluateConditions } from '../expressions/index.ts';
import { matchesSelectors } from '../matching/index.ts';
import { reviewedRequest } from '../reviewed-request.ts';
import type { VersionedObjects } from './versioned-objects.ts';
import type { MatchingWebhook } from './webhook-index.ts';

export interface CallContext {
  /** With the current object. */
  readonly request: AdmissionRequest;
  readonly objects: VersionedObjects;
  readonly reader: ObjectReader;
  readonly authorizer: Authorizer;
  readonly metrics?: AdmissionMetrics | undefined;
  readonly isMutating: boolean;
}

/**
 * The webhooks from the first one on whose selectors may match the request. Usually known at once, because namespaces
 * are in memory, so that webhooks for other objects cost little.
 */
export function fromFirstMatch(
  matching: readonly MatchingWebhook[],
  request: AdmissionRequest,
  reader: ObjectReader,
): readonly MatchingWebhook[] {
  const first = matching.findIndex(({ webhook }) => matchesSelectors(webhook.constraints, request, reader) !== false);
  return first === -1 ? [] : matching.slice(first);
}

/**
 * Whether the selectors and conditions of a webhook match. Rejects with a StatusError when a condition fails and the
 * webhook must not be skipped.
 */
export async function shouldCall(matching: MatchingWebhook, context: CallContext): Promise<boolean> {
  const { webhook, target } = matching;
  const { request, objects, reader, authorizer } = context;
  if (!(await matchesSelectors(webhook.constraints, request, reader))) return false;
  const conditions = webhook.conditions();
  if (conditions.length === 0) return true;
  const [object, oldObject] = [await objects.newIn(target), await objects.oldIn(target)];
  const startedAt = performance.now();
  const result = await evaluateConditions(conditions, {
    request: reviewedRequest(request, target),
    object: object?.object,
    oldObject: oldObject?.object,
    access: new ExpressionInputs(request, authorizer).access,
  });
  context.metrics?.conditionsChecked({
    kind: 'webhook',
    name: webhook.name,
    type: context.isMutating ? 'admit' : 'validating',
    operation: request.operation,
    ms: performance.now() - startedAt,
    result,
  });
  if (result.error === undefined) return result.matches;
  if (webhook.ignoresFailures) return false;
  throw forbidden(request.resource, request.name, result.error);
}
