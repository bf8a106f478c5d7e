import { entriesOf, isJsonObject, type JsonObject, memberOf, objectOf, sortedObject } from '../../meta/json-object.ts';
import { badElementOrder, badPrimitiveDeletion, badRetainKeys } from './strategic-error.ts';

/** Appears in an object or in a list element: `replace`, `delete` or `merge`. */
export const patchDirective = '$patch';
/** Lists the members that an object keeps. All others are removed. */
export const retainKeysDirective = '$retainKeys';
const elementOrderPrefix = '$setElementOrder';
const primitiveDeletionPrefix = '$deleteFromPrimitiveList';

export function isElementOrder(member: string): boolean {
  return member.startsWith(elementOrderPrefix);
}

export function isPrimitiveDeletion(member: string): boolean {
  return member.startsWith(primitiveDeletionPrefix);
}

/** Returns the name of the list that a directive such as `$setElementOrder/containers` refers to. */
export function elementOrderTarget(member: string): string {
  const name = nameAfter(elementOrderPrefix, member);
  if (name === undefined) throw badElementOrder();
  return name;
}

/** Returns the name of the list that a directive such as `$deleteFromPrimitiveList/finalizers` refers to. */
export function primitiveDeletionTarget(member: string): string {
  const name = nameAfter(primitiveDeletionPrefix, member);
  if (name === undefined) throw badPrimitiveDeletion();
  return name;
}

function nameAfter(prefix: string, member: string): string | undefined {
  return member.startsWith(`${prefix}/`) ? member.slice(prefix.length + 1) : undefined;
}

/**
 * Returns the members of the live object that `$retainKeys` keeps.
 *
 * @throws StatusError 400 when the patch sets a member that `$retainKeys` does not list
 */
export function retainKeys(live: JsonObject, patch: JsonObject): JsonObject {
  const keys = memberOf(patch, retainKeysDirective);
  if (keys === undefined) return live;
  if (!Array.isArray(keys)) throw badRetainKeys();
  const kept = new Set<unknown>(keys);
  for (const [key, value] of entriesOf(patch)) {
    if (key === retainKeysDirective || value === null || isElementOrder(key) || isPrimitiveDeletion(key)) continue;
    if (!kept.has(key)) throw badRetainKeys();
  }
  return objectOf(entriesOf(live).filter(([key]) => kept.has(key)));
}

/**
 * Converts a patch value that has no live value to merge with. Drops nulls and everything under `$patch`, which has
 * nothing to act on. Returns undefined when nothing is left.
 */
export function asNewValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asNewValue).filter((element) => element !== undefined);
  if (!isJsonObject(value)) return value;
  if (memberOf(value, patchDirective) !== undefined) return undefined;
  const members = entriesOf(value).filter(([, member]) => member !== null);
  return sortedObject(
    members.map(([key, member]) => [key, asNewValue(member)] as const).filter(([, member]) => member !== undefined),
  );
}
