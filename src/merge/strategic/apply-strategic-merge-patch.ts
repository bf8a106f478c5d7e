import { jsonTypeName } from '../../meta/go-value.ts';
import {
  copyOf,
  entriesOf,
  isJsonObject,
  type JsonObject,
  memberOf,
  setMember,
  sortedObject,
} from '../../meta/json-object.ts';
import { badRequest } from '../../meta/status-error.ts';
import type { Schema, StructSchema } from '../../schema/model.ts';
import { applyElementOrder } from './apply-element-order.ts';
import {
  asNewValue,
  elementOrderTarget,
  isElementOrder,
  isPrimitiveDeletion,
  patchDirective,
  primitiveDeletionTarget,
  retainKeys,
  retainKeysDirective,
} from './directives.ts';
import { hasObjects, type ListMerge, mergeList } from './merge-list.ts';
import { type PatchMetadata, patchMetadata } from './patch-metadata.ts';
import { unknownDirective } from './strategic-error.ts';

/**
 * Applies a strategic merge patch: a merge patch that also merges lists, as defined by the schema of the type, and that
 * carries directives in members whose names start with a dollar sign.
 *
 * @throws StatusError 400, 422 or 500, as Kubernetes does for the same error
 */
export function applyStrategicMergePatch(target: unknown, patch: unknown, schema: StructSchema): unknown {
  if (patch === null) return target;
  if (!isJsonObject(patch)) {
    const expected = 'Go value of type map[string]interface {}';
    throw badRequest(`json: cannot unmarshal ${jsonTypeName(patch)} into ${expected}`);
  }
  return mergeObject(isJsonObject(target) ? target : {}, patch, schema);
}

function mergeObject(live: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  const directive = memberOf(patch, patchDirective);
  if (directive !== undefined) return replacement(directive, patch);
  const result = copyOf(retainKeys(live, patch));
  const members = new Map(entriesOf(patch));
  members.delete(retainKeysDirective);
  orderLists(result, members, schema);
  // Values are deleted from a list only after others have been merged into it.
  for (const [key, value] of members) {
    if (!isPrimitiveDeletion(key)) mergeMember(result, { key, value }, schema);
  }
  for (const [key, value] of members) {
    if (isPrimitiveDeletion(key)) deleteFromList(result, { key: primitiveDeletionTarget(key), value }, schema);
  }
  return sortedObject(entriesOf(result));
}

function replacement(directive: unknown, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive === 'replace') return sortedObject(entriesOf(patch).filter(([key]) => key !== patchDirective));
  throw unknownDirective(directive, patch);
}

/** Merges the lists whose order the patch sets, and removes both the order and the list from the pending members. */
function orderLists(result: JsonObject, members: Map<string, unknown>, schema: Schema): void {
  for (const [directive, order] of [...members]) {
    if (!isElementOrder(directive)) continue;
    members.delete(directive);
    const key = elementOrderTarget(directive);
    const metadata = patchMetadata(schema, key);
    const list = applyElementOrder(order, {
      live: memberOf(result, key),
      patch: members.get(key),
      replaces: metadata.strategy !== 'merge',
      ...listMerge(metadata),
    });
    if (list === undefined) continue;
    setMember(result, key, list);
    members.delete(key);
  }
}

interface PatchMember {
  readonly key: string;
  readonly value: unknown;
}

function mergeMember(result: JsonObject, { key, value }: PatchMember, schema: Schema): void {
  if (value === null) {
    delete result[key];
    return;
  }
  const merged = mergedValue(memberOf(result, key), { key, value }, schema);
  if (merged === undefined) delete result[key];
  else setMember(result, key, merged);
}

function mergedValue(live: unknown, { key, value }: PatchMember, schema: Schema): unknown {
  if (isJsonObject(live) && isJsonObject(value)) {
    const metadata = patchMetadata(schema, key);
    return metadata.strategy === 'replace' ? value : mergeObject(live, value, metadata.schema);
  }
  if (Array.isArray(live) && Array.isArray(value)) {
    const metadata = patchMetadata(schema, key);
    return metadata.strategy === 'merge' ? mergeList(live, value, listMerge(metadata)) : value;
  }
  return asNewValue(value);
}

/** Does nothing when there is no list. */
function deleteFromList(result: JsonObject, { key, value }: PatchMember, schema: Schema): void {
  const live = memberOf(result, key);
  if (value === null) delete result[key];
  if (Array.isArray(live) && Array.isArray(value)) setMember(result, key, withoutDeleted(live, { key, value }, schema));
}

function withoutDeleted(live: unknown[], { key, value }: { key: string; value: unknown[] }, schema: Schema): unknown[] {
  if (live.length === 0 && value.length === 0) return live;
  // A list of objects has no plain values to delete. Kubernetes merges it instead, regardless of the patch strategy.
  if (hasObjects(live, value)) return mergeList(live, value, listMerge(patchMetadata(schema, key)));
  const deleted = new Set(value);
  return live.filter((element) => !deleted.has(element));
}

function listMerge({ schema, mergeKey }: PatchMetadata): ListMerge {
  return { mergeKey, mergeElement: (live, patch) => mergeObject(live, patch, schema) };
}
