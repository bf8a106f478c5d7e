import type { ResourceObject } from '../../meta/object.ts';
import { StatusError } from '../../meta/status-error.ts';
import { isTooLarge } from '../storage-failure.ts';

// An object that is too large for the store is written again without its managed fields: they matter less than the
// object. An apply fails instead, because it depends on them.

/** Whether the store rejected an object for its size. */
export function isTooLargeToStore(error: unknown): boolean {
  return error instanceof StatusError && isTooLarge(error.cause);
}

/** Changes and returns the object, which the request owns. */
export function dropManagedFields(object: ResourceObject): ResourceObject {
  object.metadata.managedFields = undefined;
  return object;
}
