import type { StructSchema } from '../../src/schema/model.ts';
import { jsonFields } from '../../src/schema/normalize/struct-fields.ts';
import { isObject, isSame, type Json, type JsonObject } from './json.ts';

/** Returns the merge patch that changes `live` into `next`. Merge patches cannot set nulls. */
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

/** Returns the strategic merge patch that changes `live` into `next`, or undefined if there is none. */
export function strategicPatch(schema: StructSchema, live: JsonObject, next: JsonObject): JsonObject | undefined {
  const patch: JsonObject = {};
  for (const name of new Set([...Object.keys(live), ...Object.keys(next)])) {
    if (isSame(live[name], next[name])) continue;
    const value = memberPatch(schema, name, { before: live[name], after: next[name] });
    if (value === undefined) return undefined;
    patch[name] = value;
  }
  return patch;
}

interface Change {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

function memberPatch(owner: StructSchema, name: string, { before, after }: Change): Json | undefined {
  if (after === undefined) return null;
  const field = jsonFields(owner).find((one) => one.name === name);
  if (field?.patch?.strategies.includes('replace')) return after;
  if (isObject(before) && isObject(after)) {
    if (field?.schema.type === 'struct' && field.schema.untagged !== true) {
      return strategicPatch(field.schema, before, after);
    }
    return field?.schema.type === 'map' ? mergePatch(before, after) : undefined;
  }
  if (!Array.isArray(before) || !Array.isArray(after) || !field?.patch?.strategies.includes('merge')) return after;
  // Lists of scalars are also merged, but no patch can replace all elements.
  const { mergeKey } = field.patch;
  const hasKey = (item: Json): boolean => mergeKey !== undefined && isObject(item) && item[mergeKey] !== undefined;
  if (![...before, ...after].every(hasKey)) return undefined;
  return [...after, { $patch: 'replace' }];
}
