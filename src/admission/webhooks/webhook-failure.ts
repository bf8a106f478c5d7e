import { goQuote } from '../../meta/go-quote.ts';
import { badRequest, internalError, StatusError } from '../../meta/status-error.ts';
import type { RejectionResult } from './admission-response.ts';
import type { Webhook } from './webhook.ts';

/** A webhook gave no usable response. The failure policy decides what that means. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';

  constructor(webhook: string, problem: string, options?: ErrorOptions) {
    super(`failed calling webhook ${goQuote(webhook)}: ${problem}`, options);
  }
}

const noResult: RejectionResult = { message: '', reason: '', code: 0, details: undefined };

/** Returns the error for a request that a webhook does not allow, with the message of the webhook. */
export function rejection(
  webhook: string,
  { message, reason, code, details }: RejectionResult = noResult,
): StatusError {
  const explanation = message || reason;
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  return new StatusError({
    // A rejection must not look like a success, and must be a status that HTTP has.
    code: code >= 400 && code <= 599 ? code : 400,
    reason,
    message: explanation === '' ? `${denied} without explanation` : `${denied}: ${explanation}`,
    ...(details !== undefined && { details }),
  });
}

export function dryRunUnsupported(webhook: string): StatusError {
  return badRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
}

/** Turns a failure into an error for the user, unless the failure policy of the webhook is `Ignore`. */
export async function failClosed<T>({ ignoresFailures }: Webhook, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof WebhookFailure) || ignoresFailures) throw error;
    throw internalError(error.message, { cause: error });
  }
}
