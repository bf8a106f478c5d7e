import type { ResourceObject } from '../../meta/object.ts';
import { StatusError } from '../../meta/status-error.ts';
import { isTooLarge } from '../storage-failure.ts';

// An object that is too large for the store is written once more without its managed fields: who owns its fields is worth
// less than the object. An apply does not do that, because it is nothing without owners.

/** Whether the store has refused an object for its size. */
export function isTooLargeToStore(error: unknown): boolean {
  return error instanceof StatusError && isTooLarge(error.cause);
}

/** The same object: it belongs to the request. */
export function dropOwners(object: ResourceObject): ResourceObject {
  object.metadata.managedFields = undefined;
  return object;
}
