import { randomUUID } from 'node:crypto';
import { DeadlineError } from '../../client/index.ts';
import type { WebhookClient, WebhookClients } from '../../client/webhook/index.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { StatusError, timeout } from '../../meta/status-error.ts';
import type { AdmissionMetrics, WebhookCall } from '../admission-metrics.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { type AdmissionResponse, InvalidResponse, readAdmissionResponse } from './admission-response.ts';
import type { AdmissionReviews, ReviewedObjects, ReviewIdentity } from './admission-review.ts';
import type { Webhook } from './webhook.ts';
import { dryRunUnsupported, rejection, WebhookFailure } from './webhook-failure.ts';
import type { MatchingWebhook } from './webhook-index.ts';

/** More than the patch of the largest object, in base64. */
const maxResponseBytes = 6 * 1024 * 1024;
/** Longer values are not recorded. */
const maxAnnotationLength = 10 * 1024;

export type WebhookCallers = Pick<WebhookClients, 'get'>;

export interface WebhookInvocation {
  readonly request: AdmissionRequest;
  readonly reviews: AdmissionReviews;
  /** In the version in which the webhook matches. */
  readonly objects: ReviewedObjects;
  readonly isMutating: boolean;
  readonly metrics?: AdmissionMetrics | undefined;
}

/**
 * Calls a webhook and forwards its annotations and warnings. Rejects with a StatusError when it does not allow the
 * request, and with a WebhookFailure when it gave no usable response.
 */
export async function callWebhook(
  clients: WebhookCallers,
  { webhook, target }: MatchingWebhook,
  invocation: WebhookInvocation,
): Promise<AdmissionResponse> {
  const { request, reviews, objects, isMutating } = invocation;
  const { name, reviewVersion: version } = webhook;
  if (request.dryRun && !webhook.supportsDryRun) throw dryRunUnsupported(name);
  if (version === undefined) {
    const problem = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    throw new WebhookFailure(name, `could not create admission objects: ${problem}`);
  }
  const identity: ReviewIdentity = { version, uid: randomUUID() };
  const timeoutMs = timeLeft(webhook, request);
  const call = {
    text: reviews.review(identity, target, objects),
    timeoutMs,
    maxResponseBytes,
    ...(request.traceParent && { headers: { traceparent: request.traceParent() } }),
  };
  const startedAt = performance.now();
  const ended = (result: Pick<WebhookCall, 'code' | 'rejected'>): void => {
    const ms = performance.now() - startedAt;
    request.waited?.(ms);
    invocation.metrics?.webhookCalled({ name, isMutating, operation: request.operation, ms, ...result });
  };
  let response: AdmissionResponse;
  try {
    const client = clientOf(clients, webhook);
    response = await responseOf(name, async () =>
      readAdmissionResponse(await client.post(call), { ...identity, isMutating }),
    );
  } catch (error) {
    ended({ code: 0, rejected: !webhook.ignoresFailures });
    // Then the request itself is late, whatever the failure policy is.
    if (timeoutMs < webhook.timeoutMs && isLate(error as Error)) throw late(' - context deadline exceeded');
    throw error;
  }
  ended({ code: response.allowed ? 200 : response.result?.code || 400, rejected: !response.allowed });
  report(webhook, response, request);
  if (!response.allowed) throw rejection(name, response.result);
  return response;
}

/** Fails when the request has no time left. */
export function checkDeadline({ deadline }: AdmissionRequest): void {
  if (deadline !== undefined && performance.now() >= deadline) {
    throw late();
  }
}

function late(cause = ''): StatusError {
  return timeout(`request did not complete within requested timeout${cause}`);
}

/** Whether the webhook gave no response in time. */
function isLate({ cause }: Error): boolean {
  return cause instanceof Error && cause.cause instanceof DeadlineError;
}

/** The request ends at its own deadline, even if the webhook may take longer. */
function timeLeft({ timeoutMs }: Webhook, request: AdmissionRequest): number {
  checkDeadline(request);
  const { deadline = Number.POSITIVE_INFINITY } = request;
  return Math.min(timeoutMs, Math.ceil(deadline - performance.now()));
}

function clientOf(clients: WebhookCallers, { name, clientConfig }: Webhook): WebhookClient {
  try {
    return clients.get(clientConfig);
  } catch (cause) {
    throw new WebhookFailure(name, `could not get REST client: ${(cause as Error).message}`, { cause });
  }
}

async function responseOf(name: string, call: () => Promise<AdmissionResponse>): Promise<AdmissionResponse> {
  try {
    return await call();
  } catch (cause) {
    // This server stops, which is no failure of the webhook.
    if (cause instanceof StatusError) throw cause;
    const problem = cause instanceof InvalidResponse ? 'received invalid webhook response' : 'failed to call webhook';
    throw new WebhookFailure(name, `${problem}: ${(cause as Error).message}`, { cause });
  }
}

function report({ name }: Webhook, { auditAnnotations, warnings }: AdmissionResponse, request: AdmissionRequest): void {
  for (const [key, value] of auditAnnotations) {
    // Other keys could be taken for those of the server or of other webhooks.
    const isKey = !key.includes('/') && labelKeyErrors(`${name}/${key}`).length === 0;
    if (isKey && value.length <= maxAnnotationLength) request.annotate(`${name}/${key}`, value);
  }
  for (const warning of warnings) request.warn(warning);
}
