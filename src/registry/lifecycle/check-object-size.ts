import type { ResourceObject } from '../../meta/object.ts';
import { tooLargeBody } from '../../meta/status-error.ts';

/** More than the embedded store takes. */
const maxBytes = 2 * 1024 * 1024;
/** The quotes or brackets, the comma and the like around each part. */
const around = 3;

/**
 * Refuses an object that defaults have made too large to be stored, before more work is done on it: a few bytes of a request
 * may stand for hundreds in the object. Estimates the size from below.
 */
export function checkObjectSize(object: ResourceObject): void {
  // What is too large with its owners may be stored without them.
  const pending: unknown[] = [{ ...object, metadata: { ...object.metadata, managedFields: undefined } }];
  let size = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') size += value.length + around;
    else if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        const member = (value as Record<string, unknown>)[key];
        if (member === undefined) continue;
        size += key.length + around;
        pending.push(member);
      }
    } else size++;
    if (size > maxBytes) throw tooLargeBody(`the object has more than ${maxBytes} bytes`);
  }
}
