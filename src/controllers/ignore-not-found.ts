import { ApiError } from '../client/index.ts';

/** A handler for `catch`: turns "not found" into undefined and throws all other errors. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 404) throw error;
}
