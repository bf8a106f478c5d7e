import { isJsonObject, memberOf } from '../json-object.ts';
import { asNewValue, patchDirective } from './directives.ts';
import { type Identity, inOrder } from './element-order.ts';
import { byMergeKey, hasObjects, type ListMerge, mergeList } from './merge-list.ts';
import { outOfOrder, unexpectedType } from './strategic-error.ts';

interface OrderedList extends ListMerge {
  /** Undefined when the object has no such list. */
  readonly live: unknown;
  /** The patch of the list, undefined when only its order changes. */
  readonly patch: unknown;
  readonly replaces: boolean;
}

/** The list that `$setElementOrder` and the patch of the same list make; undefined when there is no list to order. */
export function applyElementOrder(order: unknown, list: OrderedList): unknown[] | undefined {
  const wanted = listOrError(order);
  const live = list.live === undefined ? undefined : listOrError(list.live);
  const patch = list.patch === undefined ? undefined : listOrError(list.patch);
  const identity: Identity = list.mergeKey === undefined ? (element) => element : byMergeKey(list.mergeKey);
  checkOrder(patch ?? [], wanted, identity);
  const merged = mergedList(live, patch, list);
  if (merged === undefined) return undefined;
  // Not asked for its answer: elements of several types, and none at all, are refused.
  hasObjects(live ?? [], patch ?? []);
  return inOrder(merged, { wanted, before: live ?? [], identity });
}

function mergedList(
  live: unknown[] | undefined,
  patch: unknown[] | undefined,
  list: OrderedList,
): unknown[] | undefined {
  if (patch === undefined) return live;
  if (live === undefined) return asNewValue(patch) as unknown[];
  return list.replaces ? patch : mergeList(live, patch, list);
}

function listOrError(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw unexpectedType('list', value);
  return value;
}

/** The patch may only name elements that the order names, and in that order. Directives have no place in it. */
function checkOrder(patch: readonly unknown[], order: readonly unknown[], identity: Identity): void {
  if (patch.length === 0 || order.length === 0) return;
  const elements = patch.filter((element) => !isDirective(element));
  let position = 0;
  for (const place of order) {
    if (position === elements.length) return;
    if (identity(elements[position]) === identity(place)) position++;
  }
  if (position < elements.length) throw outOfOrder(patch, order);
}

function isDirective(element: unknown): boolean {
  return isJsonObject(element) && memberOf(element, patchDirective) !== undefined;
}
