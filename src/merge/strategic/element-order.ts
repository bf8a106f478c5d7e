/** Returns what identifies an element: the value of its merge key, or the element itself. */
export type Identity = (element: unknown) => unknown;

interface ElementOrders {
  /** The order that the patch requests. */
  readonly wanted: readonly unknown[];
  /** The previous order of the elements. */
  readonly before: readonly unknown[];
  readonly identity: Identity;
}

/**
 * Sorts elements. Those that the patch names follow the order of the patch. The others keep their relative order, and
 * each is placed before the first named element that used to follow it. A new element therefore precedes elements that
 * the patch does not name.
 */
export function inOrder(elements: readonly unknown[], { wanted, before, identity }: ElementOrders): unknown[] {
  const desiredPosition = positions(wanted, identity);
  const positionBefore = positions(before, identity);
  const named = sortedBy(
    elements.filter((element) => desiredPosition.has(identity(element))),
    (element) => desiredPosition.get(identity(element)),
  );
  const others = sortedBy(
    elements.filter((element) => !desiredPosition.has(identity(element))),
    (element) => positionBefore.get(identity(element)),
  );
  return interleaved(others, named, (element) => positionBefore.get(identity(element)));
}

type Position = (element: unknown) => number | undefined;

function positions(order: readonly unknown[], identity: Identity): ReadonlyMap<unknown, number> {
  const found = new Map<unknown, number>();
  for (const [index, element] of order.entries()) {
    const key = identity(element);
    if (!found.has(key)) found.set(key, index);
  }
  return found;
}

function sortedBy(elements: readonly unknown[], position: Position): unknown[] {
  return elements.toSorted((left, right) => (position(left) ?? 0) - (position(right) ?? 0));
}

function interleaved(others: readonly unknown[], named: readonly unknown[], position: Position): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const element of named) {
    const place = position(element);
    while (next < others.length && comesBefore(position(others[next]), place)) result.push(others[next++]);
    result.push(element);
  }
  return [...result, ...others.slice(next)];
}

function comesBefore(left: number | undefined, right: number | undefined): boolean {
  return left !== undefined && right !== undefined && left < right;
}
