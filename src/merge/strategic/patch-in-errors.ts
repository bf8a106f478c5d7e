import { entriesOf, isJsonObject, type JsonObject, memberOf, objectOf } from '../../meta/json-object.ts';
import type { Schema, StructSchema } from '../../schema/model.ts';
import { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';
import { elementOrderTarget, isElementOrder, patchDirective, retainKeysDirective } from './directives.ts';
import { patchMetadata } from './patch-metadata.ts';

/**
 * Returns a strategic merge patch as kube-apiserver shows it in errors. It merges in place, which also changes the
 * patch: directives that have been applied and nulls without a target are removed, and an element that is new to a list
 * contains later elements with the same key.
 */
export function patchInErrors(live: unknown, patch: unknown, schema: Schema): unknown {
  return isJsonObject(patch) ? objectInErrors(isJsonObject(live) ? live : {}, patch, schema) : patch;
}

function objectInErrors(live: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  const directive = memberOf(patch, patchDirective);
  if (directive !== undefined) return directive === 'replace' ? without(patch, [patchDirective]) : patch;
  const orders = Object.keys(patch).filter(isElementOrder);
  const rest = without(patch, [retainKeysDirective, ...orders, ...orders.map(elementOrderTarget)]);
  return objectOf(
    entriesOf(rest).map(([key, value]) => [key, memberInErrors(memberOf(live, key), { key, value }, schema)] as const),
  );
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return objectOf(entriesOf(object).filter(([key]) => !keys.includes(key)));
}

function memberInErrors(live: unknown, { key, value }: { key: string; value: unknown }, schema: Schema): unknown {
  const isMerged = isJsonObject(live) ? isJsonObject(value) : Array.isArray(live) && Array.isArray(value);
  if (!isMerged) return withoutNulls(value);
  const metadata = patchMetadata(schema, key);
  if (metadata.strategy === 'replace') return value;
  if (isJsonObject(live)) return objectInErrors(live, value as JsonObject, metadata.schema);
  const { mergeKey } = metadata;
  if (metadata.strategy !== 'merge' || mergeKey === undefined) return value;
  return listInErrors(live as unknown[], value as unknown[], { mergeKey, schema: metadata.schema });
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const members = entriesOf(value).filter(([, member]) => member !== null);
  return objectOf(members.map(([key, member]) => [key, withoutNulls(member)] as const));
}

function listInErrors(
  live: readonly unknown[],
  patch: readonly unknown[],
  { mergeKey, schema }: { readonly mergeKey: string; readonly schema: Schema },
): unknown[] {
  const known = new Map<unknown, JsonObject>();
  for (const element of live) if (isJsonObject(element)) known.set(memberOf(element, mergeKey), element);
  const shown = [...patch];
  /** The positions of the elements that the patch adds to the list. */
  const added = new Map<unknown, number>();
  for (const [index, element] of patch.entries()) {
    if (!isJsonObject(element) || memberOf(element, patchDirective) !== undefined) continue;
    const key = memberOf(element, mergeKey);
    const first = added.get(key);
    const before = first === undefined ? known.get(key) : (shown[first] as JsonObject);
    if (before === undefined) {
      added.set(key, index);
      continue;
    }
    shown[index] = objectInErrors(before, element, schema);
    if (first !== undefined) shown[first] = applyStrategicMergePatch(before, element, schema as StructSchema);
  }
  return shown;
}
