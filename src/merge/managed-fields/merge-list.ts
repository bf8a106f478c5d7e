import { elementOf, haveSameName } from './list-elements.ts';
import type { PathElement } from './path-element.ts';
import type { ListShape, Shape } from './shape.ts';

interface ListMerge {
  readonly wanted: readonly unknown[];
  readonly merge: (shape: Shape, live: unknown, applied: unknown) => unknown;
}

type Name = PathElement | undefined;

/**
 * The elements of both lists: those that both have are merged and come in the order of `wanted`; those that only the live
 * list has keep their places between them. Elements that the live list has more than once become the one that is wanted.
 * The result is `live` itself when it would be the same.
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
  const wantedNames = wanted.map((item) => elementOf(shape, item));
  const isWanted = new Set(wantedNames);
  const liveItems = singleItems(names, live);
  const shared = wantedNames.filter((name) => liveItems.has(name)).values();
  const result: unknown[] = [];
  let position = 0;
  /** Everything up to the element that both have next, but for those whose turn comes with the wanted list. */
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

/** The usual case: the same elements in the same order. No element is wanted twice, so none is there twice either. */
function isAligned(shape: ListShape, live: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (live.length !== wanted.length) return false;
  for (let index = 0; index < live.length; index++) {
    if (!haveSameName(shape, live[index], wanted[index])) return false;
  }
  return true;
}

/** Undefined for elements that are there more than once: they are replaced, not merged. */
function singleItems(names: readonly Name[], items: readonly unknown[]): Map<Name, unknown> {
  const single = new Map<Name, unknown>();
  for (const [index, name] of names.entries()) single.set(name, single.has(name) ? undefined : items[index]);
  return single;
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
