import { isJsonObject } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { sameValue } from './same-value.ts';
import { anyShape } from './shape.ts';

/**
 * Returns the entries for an object that is about to be stored. Keeps the entries of the live object when only
 * timestamps would change. Both objects are in canonical form.
 */
export function keepTimes(live: ResourceObject, next: ResourceObject): readonly unknown[] | undefined {
  const liveEntries = live.metadata.managedFields;
  const fresh = next.metadata.managedFields;
  if (liveEntries === fresh || !isSameButTimes(liveEntries ?? [], fresh ?? [])) return fresh;
  return isSameButEntries(live, next) ? liveEntries : fresh;
}

function isSameButTimes(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  // Entries are compared regardless of order, because their order depends on the times.
  return left.every((entry) => right.some((other) => isSameEntry(entry, other)));
}

function isSameEntry(left: unknown, right: unknown): boolean {
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  return (
    left.manager === right.manager &&
    left.operation === right.operation &&
    left.apiVersion === right.apiVersion &&
    left.subresource === right.subresource &&
    left.fieldsType === right.fieldsType &&
    sameValue(anyShape, left.fieldsV1, right.fieldsV1)
  );
}

function isSameButEntries(live: ResourceObject, next: ResourceObject): boolean {
  return sameValue(
    anyShape,
    { ...live, metadata: { ...live.metadata, managedFields: undefined } },
    { ...next, metadata: { ...next.metadata, managedFields: undefined } },
  );
}
