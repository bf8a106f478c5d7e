import { jsonTypeName } from '../meta/go-value.ts';
import { entriesOf, isJsonObject, type JsonObject, memberOf, setMember, sortedObject } from '../meta/json-object.ts';
import { badRequest } from '../meta/status-error.ts';
import type { PatchOptions } from './patch-options.ts';

/**
 * Applies a JSON Merge Patch (RFC 7386): objects are merged member by member, null removes a member, and any other
 * value replaces the existing one.
 *
 * Like Kubernetes, and beyond the RFC, this removes nulls from everything that the patch adds, including objects in
 * lists.
 *
 * @throws StatusError 400 when the patch is not an object
 */
export function applyJsonMergePatch(target: unknown, patch: unknown, options: PatchOptions = {}): unknown {
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (isJsonObject(patch)) return isJsonObject(target) ? merged(target, patch) : withoutNulls(patch);
  if (options.fieldValidation !== 'Ignore') {
    const expected = 'Go value of type map[string]interface {}';
    throw badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into ${expected}`);
  }
  // Without validation a list replaces the document. Decoding then rejects the result, which is not an object.
  if (!Array.isArray(patch)) throw badRequest('Invalid JSON Patch');
  return withoutNulls(patch);
}

function merged(target: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of keysOf(target, patch)) {
    const value = memberOf(patch, key);
    if (value === null) continue;
    const current = memberOf(target, key);
    setMember(result, key, value === undefined ? current : mergedMember(current, value));
  }
  return result;
}

/** Returns the keys of both objects, sorted. */
function keysOf(target: JsonObject, patch: JsonObject): string[] {
  const keys = Object.keys(target).filter((key) => target[key] !== undefined);
  for (const key of Object.keys(patch)) {
    if (patch[key] !== undefined && memberOf(target, key) === undefined) keys.push(key);
  }
  return keys.sort();
}

function mergedMember(current: unknown, value: unknown): unknown {
  if (isJsonObject(current)) return isJsonObject(value) ? merged(current, value) : value;
  return withoutNulls(value);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = entriesOf(value).filter(([, member]) => member !== null);
  return sortedObject(kept.map(([key, member]) => [key, withoutNulls(member)]));
}
