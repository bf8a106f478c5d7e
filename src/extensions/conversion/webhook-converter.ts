import { randomUUID } from 'node:crypto';
import { type WebhookClientConfig, type WebhookClients, WebhookError } from '../../client/webhook/index.ts';
import { requestBounds } from '../../codec/document-bounds.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { VersionConverter } from '../../registry/resource-definition.ts';
import { conversionReview, convertedObjects, type ReviewVersion, reviewVersionOf } from './conversion-review.ts';
import { type ConversionCalls, CountError, conversionFailure, convertObjects } from './convert-objects.ts';
import { JoinedCalls } from './joined-calls.ts';

const defaultTimeoutMs = 30_000;
const maxObjects = 1000;
/** The maximum size of the objects in one call. A single object may be larger. */
const maxBytes = 1024 * 1024;
/** The maximum size of an object in a request to this server. */
const maxConvertedBytes = 3 * 1024 * 1024;
const maxResponseBytes = 8 * 1024 * 1024;
/** Several times the number of values in objects of that size. More would block the event loop for too long. */
const bounds = { ...requestBounds, maxValues: 150_000 };

export interface WebhookConversion {
  readonly clientConfig: WebhookClientConfig;
  readonly conversionReviewVersions: readonly string[];
  readonly clients: WebhookClients;
  /** The timeout of one call. Default: 30 s. */
  readonly timeoutMs?: number;
}

/** Strategy `Webhook`: another server converts the objects. Concurrent conversions to the same version share calls. */
export function webhookConverter(conversion: WebhookConversion): VersionConverter {
  const version = reviewVersionOf(conversion.conversionReviewVersions);
  const calls = new Map<string, ConversionCalls>();
  return {
    isSynchronous: false,
    convert(objects, desiredApiVersion): MaybePromise<ResourceObject[]> {
      const isOther = ({ apiVersion }: ResourceObject): boolean => apiVersion !== desiredApiVersion;
      if (!objects.some(isOther)) return [...objects];
      if (version === undefined) throw conversionFailure('no supported conversion review versions');
      const known = calls.get(desiredApiVersion) ?? conversionCalls(conversion, version, desiredApiVersion);
      calls.set(desiredApiVersion, known);
      return convertObjects(objects, desiredApiVersion, known);
    },
  };
}

function conversionCalls(
  { clientConfig, clients, timeoutMs = defaultTimeoutMs }: WebhookConversion,
  version: ReviewVersion,
  desiredApiVersion: string,
): ConversionCalls {
  const send = async (objects: readonly string[]): Promise<unknown[]> => {
    const uid = randomUUID();
    const review = await clients.get(clientConfig).post({
      text: conversionReview({ version, uid, desiredApiVersion, objects }),
      timeoutMs,
      maxResponseBytes: Math.min(objects.length * maxConvertedBytes, maxResponseBytes),
      bounds,
    });
    const converted = convertedObjects(review, { version, uid });
    if (converted.length === objects.length) return converted;
    throw new CountError(`returned ${converted.length} objects, expected ${objects.length}`);
  };
  const isAboutItems = (error: Error): boolean =>
    !(error instanceof StatusError) && (!(error instanceof WebhookError) || error.mayDependOnReview);
  return new JoinedCalls({ maxItems: maxObjects, maxBytes, send, isAboutItems });
}
