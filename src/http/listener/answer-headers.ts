import type { ResponseHeaders } from '../exchange.ts';

/** Statuses whose answers have no body, and so no length. */
function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

/** The headers of one answer in a fresh object: those of the exchange first, then those of the call. */
export function mergeHeaders(early: ResponseHeaders | undefined, headers: ResponseHeaders): ResponseHeaders {
  return early === undefined ? { ...headers } : { ...early, ...headers };
}

export function addLength(headers: ResponseHeaders, status: number, length: number): void {
  if (!hasNoBody(status)) headers['content-length'] = length;
}
