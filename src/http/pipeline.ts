/**
 * The room of HTTP: the listener makes exchanges, the pipeline leads them through its filters, and a handler per verb calls the
 * resource. Discovery, OpenAPI and health answer for their own paths. Kinds are not known here, and nothing is stored.
 */
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { RequestContext } from './request-context.ts';

/** Handles a request or fails with what the client is to be told. */
export type Handler = (context: RequestContext) => MaybePromise<void>;

/** Does its part and calls `next`, or answers or throws instead. */
export type Filter = (context: RequestContext, next: Handler) => MaybePromise<void>;

/** Nests the filters in the order given; the last `next` is the handler. Done once, so that a request makes no closures. */
export function pipeline(filters: readonly Filter[], handler: Handler): Handler {
  return filters.reduceRight<Handler>((next, filter) => (context) => filter(context, next), handler);
}
