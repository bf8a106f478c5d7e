import { ApiError } from '../../client/index.ts';

/**
 * Whether the server no longer serves the type, or its version, of a request. That is no fault while definitions come
 * and go: the next discovery shows what is served. A missing object has a Status, a missing type has none.
 */
export function isTypeGone(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isTypeGone);
  return error instanceof ApiError && error.code === 404 && error.status === undefined;
}
