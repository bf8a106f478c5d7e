/**
 * HTTP: the listener produces exchanges, the pipeline passes them through its filters, and a handler for each verb
 * calls the resource. Discovery, OpenAPI and health serve their own paths. This code contains nothing specific to kinds
 * and stores nothing.
 */
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { RequestContext } from './request-context.ts';

/** Handles a request or throws the error to respond with. */
export type Handler = (context: RequestContext) => MaybePromise<void>;

/** Calls `next`, or responds or throws instead. */
export type Filter = (context: RequestContext, next: Handler) => MaybePromise<void>;

/**
 * Nests the filters in the given order. The last `next` is the handler. Done once, so that requests create no closures.
 */
export function pipeline(filters: readonly Filter[], handler: Handler): Handler {
  return filters.reduceRight<Handler>((next, filter) => (context) => filter(context, next), handler);
}
