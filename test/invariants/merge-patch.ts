import { isObject, isSame, type JsonObject } from './json.ts';

/** The merge patch that makes `next` of `live`. Nulls in `next` cannot be said with one. */
export function mergePatch(live: JsonObject, next: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const name of new Set([...Object.keys(live), ...Object.keys(next)])) {
    const before = live[name];
    const after = next[name];
    if (isSame(before, after)) continue;
    if (after === undefined) patch[name] = null;
    else patch[name] = isObject(before) && isObject(after) ? mergePatch(before, after) : after;
  }
  return patch;
}
