import { DecodeError } from '../../meta/decode-error.ts';
import { elementOf, haveSameName } from './list-elements.ts';
import type { PathElement } from './path-element.ts';
import type { ListShape, Shape } from './shape.ts';

interface ListMerge {
  readonly wanted: readonly unknown[];
  readonly merge: (shape: Shape, live: unknown, applied: unknown) => unknown;
}

type Name = PathElement | undefined;

/** The live list has an item that nothing identifies. An older update may have stored it. */
export class NamelessItemError extends DecodeError {}

/**
 * Merges two lists. Elements in both lists are merged and follow the order of `wanted`. Elements only in the live list
 * keep their places between them. Duplicates in the live list are replaced by the wanted element. Returns `live` itself
 * when nothing changes.
 */
export function mergeList(
  shape: ListShape,
  live: readonly unknown[],
  { wanted, merge }: ListMerge,
): readonly unknown[] {
  if (isAligned(shape, live, wanted)) {
    const aligned = live.map((item, index) => merge(shape.items, item, wanted[index]));
    return isSameList(live, aligned) ? live : aligned;
  }
  const names = live.map((item) => elementOf(shape, item));
  if (names.includes(undefined)) throw new NamelessItemError('a list item lacks its key');
  const wantedNames = wanted.map((item) => elementOf(shape, item));
  const isWanted = new Set(wantedNames);
  const liveItems = singleItems(names, live);
  const shared = wantedNames.filter((name) => liveItems.has(name)).values();
  const result: unknown[] = [];
  let position = 0;
  /** Copies live elements up to the next shared element, except those that the wanted list contributes. */
  const takeOthers = (next: Name) => {
    for (; position < live.length && (next === undefined || names[position] !== next); position++) {
      if (!isWanted.has(names[position])) result.push(live[position]);
    }
  };

  let next: Name = shared.next().value;
  for (const [index, name] of wantedNames.entries()) {
    takeOthers(next);
    result.push(merge(shape.items, liveItems.get(name), wanted[index]));
    if (name === next) next = shared.next().value;
  }
  takeOthers(undefined);
  return isSameList(live, result) ? live : result;
}

/**
 * Detects the common case of the same elements in the same order. `wanted` has no duplicates, so neither does `live`.
 */
function isAligned(shape: ListShape, live: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (live.length !== wanted.length) return false;
  for (let index = 0; index < live.length; index++) {
    if (!haveSameName(shape, live[index], wanted[index])) return false;
  }
  return true;
}

/** Maps duplicated elements to undefined, because they are replaced rather than merged. */
function singleItems(names: readonly Name[], items: readonly unknown[]): Map<Name, unknown> {
  const single = new Map<Name, unknown>();
  for (const [index, name] of names.entries()) single.set(name, single.has(name) ? undefined : items[index]);
  return single;
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
