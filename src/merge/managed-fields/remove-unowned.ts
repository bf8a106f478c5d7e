import { isJsonObject, type JsonObject, setMember } from '../../meta/json-object.ts';
import { type FieldTree, isInSet } from './field-tree.ts';
import { elementOf } from './list-elements.ts';
import { fieldElement } from './path-element.ts';
import { entryShape, type ListShape, type Shape, type StructShape } from './shape.ts';

interface Claims {
  /** The fields that the applier owned before. */
  readonly last: FieldTree | undefined;
  /** The fields that any manager still owns. */
  readonly owned: FieldTree | undefined;
}

/** The properties of a value that its containers determine. */
interface Surroundings {
  /** Whether the value is inside a container that is relinquished. */
  readonly relinquished: boolean;
  /** Whether the value is inside a container that is relinquished and that nobody owns. */
  readonly lost: boolean;
}

/**
 * Removes the fields in `last` from the object, unless they are in `owned`. A field in `owned` is removed too when it
 * is inside a container that is relinquished and that nobody owns. A container that loses all its contents becomes null.
 * Visits only the paths in `last`, and returns the object itself when nothing is removed. Both sets must include the
 * structs around their fields (see `withContainers`).
 */
export function removeUnowned(shape: StructShape, object: JsonObject, claims: Claims): JsonObject {
  return membersLeft(shape, object, { claims, relinquished: false, lost: false }) ?? {};
}

interface Place extends Surroundings {
  readonly claims: Claims;
}

/** Returns undefined when the value must be removed. */
function valueLeft(shape: Shape, value: unknown, { claims, relinquished, lost }: Place): unknown {
  const { last, owned } = claims;
  if (last === undefined) return value;
  const isClaimed = isInSet(last);
  const isRelinquished = relinquished || isClaimed;
  const isLost = lost || (isRelinquished && !(owned !== undefined && isInSet(owned)) && !isEmptyList(shape, value));
  if (isLost && isClaimed) return undefined;
  const place = { claims, relinquished: isRelinquished, lost: isLost };
  if (shape.atomic) return value;
  if (Array.isArray(value)) return shape.type === 'list' ? itemsLeft(shape, value, place) : value;
  return isJsonObject(value) && shape.type !== 'list' ? membersLeft(shape, value, place) : value;
}

/** Neither an empty list nor anything in it can be owned. */
function isEmptyList(shape: Shape, value: unknown): boolean {
  return Array.isArray(value) && value.length === 0 && shape.type === 'list' && !shape.atomic;
}

function membersLeft(shape: Shape, object: JsonObject, place: Place): JsonObject | null {
  const result: JsonObject = {};
  let changed = false;
  let isEmpty = true;
  for (const key in object) {
    const value = object[key];
    if (value === undefined) continue;
    const field = shape.type === 'struct' ? shape.fields.get(key)?.shape : undefined;
    const inner = field ?? entryShape(shape);
    const rest = inner === undefined ? value : valueLeft(inner, value, below(place, fieldElement(key)));
    if (rest !== value) changed = true;
    if (rest === undefined) continue;
    setMember(result, key, rest);
    isEmpty = false;
  }
  if (!changed) return object;
  return isEmpty ? null : result;
}

function itemsLeft(shape: ListShape, list: readonly unknown[], place: Place): readonly unknown[] | null {
  const result: unknown[] = [];
  let changed = false;
  for (const item of list) {
    const element = elementOf(shape, item);
    const rest = element === undefined ? item : valueLeft(shape.items, item, below(place, element));
    if (rest !== item) changed = true;
    if (rest !== undefined) result.push(rest);
  }
  if (!changed) return list;
  return result.length === 0 ? null : result;
}

function below({ claims, relinquished, lost }: Place, element: string): Place {
  return { claims: { last: claims.last?.[element], owned: claims.owned?.[element] }, relinquished, lost };
}
