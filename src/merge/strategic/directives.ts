import { entriesOf, isJsonObject, type JsonObject, memberOf, objectOf, sortedObject } from '../json-object.ts';
import { badElementOrder, badPrimitiveDeletion, badRetainKeys } from './strategic-error.ts';

/** In an object or in an element of a list: `replace`, `delete` or `merge`. */
export const patchDirective = '$patch';
/** The only members that an object keeps. */
export const retainKeysDirective = '$retainKeys';
const elementOrderPrefix = '$setElementOrder';
const primitiveDeletionPrefix = '$deleteFromPrimitiveList';

export function isElementOrder(member: string): boolean {
  return member.startsWith(elementOrderPrefix);
}

export function isPrimitiveDeletion(member: string): boolean {
  return member.startsWith(primitiveDeletionPrefix);
}

/** The list that `$setElementOrder/containers` is about. */
export function orderedMember(member: string): string {
  const name = nameAfter(elementOrderPrefix, member);
  if (name === undefined) throw badElementOrder();
  return name;
}

/** The list that `$deleteFromPrimitiveList/finalizers` is about. */
export function shortenedMember(member: string): string {
  const name = nameAfter(primitiveDeletionPrefix, member);
  if (name === undefined) throw badPrimitiveDeletion();
  return name;
}

function nameAfter(prefix: string, member: string): string | undefined {
  return member.startsWith(`${prefix}/`) ? member.slice(prefix.length + 1) : undefined;
}

/**
 * What is left of the live object under `$retainKeys`.
 *
 * @throws StatusError 400 when the patch sets a member that is not to be kept
 */
export function retained(live: JsonObject, patch: JsonObject): JsonObject {
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
 * A value of the patch that meets nothing to merge with: nulls are dropped, and so is everything under `$patch`, which has
 * nothing to act on. Undefined when nothing is left.
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
