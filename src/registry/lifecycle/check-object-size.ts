import type { ResourceObject } from '../../meta/object.ts';
import { tooLargeObject } from '../../meta/status-error.ts';

/** More bytes than the embedded store accepts. */
const maxBytes = 2 * 1024 * 1024;
/** The minimum number of bytes around each value: quotes or brackets, and a comma. */
const overheadPerValue = 3;

/**
 * Rejects an object that defaults have made too large to store, before more work is done on it: a few bytes of a
 * request may expand to hundreds. Computes a lower bound of the size.
 */
export function checkObjectSize(object: ResourceObject): void {
  // An object that is too large only because of its managed fields is stored without them.
  const pending: unknown[] = [{ ...object, metadata: { ...object.metadata, managedFields: undefined } }];
  let size = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') size += value.length + overheadPerValue;
    else if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        const member = (value as Record<string, unknown>)[key];
        if (member === undefined) continue;
        size += key.length + overheadPerValue;
        pending.push(member);
      }
    } else size++;
    if (size > maxBytes) throw tooLargeObject(`the object has more than ${maxBytes} bytes`);
  }
}
