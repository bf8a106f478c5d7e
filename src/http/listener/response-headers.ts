import type { ResponseHeaders } from '../exchange.ts';

/** Responses with these statuses have no body, and so no length. */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

/** Merges the headers of the exchange with those of the call, which take precedence, into a new object. */
export function mergeHeaders(early: ResponseHeaders | undefined, headers: ResponseHeaders): ResponseHeaders {
  return early === undefined ? { ...headers } : { ...early, ...headers };
}

export function addLength(headers: ResponseHeaders, status: number, length: number): void {
  if (!hasNoBody(status)) headers['content-length'] = length;
}
