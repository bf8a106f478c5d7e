import { isJsonObject, memberOf } from '../../meta/json-object.ts';
import { asNewValue, patchDirective } from './directives.ts';
import { type Identity, inOrder } from './element-order.ts';
import { byMergeKey, hasObjects, type ListMerge, mergeList } from './merge-list.ts';
import { outOfOrder, unexpectedType } from './strategic-error.ts';

interface OrderedList extends ListMerge {
  /** Undefined when the object does not have this list. */
  readonly live: unknown;
  /** The patch for the list; undefined when only the order changes. */
  readonly patch: unknown;
  readonly replaces: boolean;
}

/** Merges a list with its patch and sorts it by `$setElementOrder`. Returns undefined when there is no list to sort. */
export function applyElementOrder(order: unknown, list: OrderedList): unknown[] | undefined {
  const wanted = listOrError(order);
  const live = list.live === undefined ? undefined : listOrError(list.live);
  const patch = list.patch === undefined ? undefined : listOrError(list.patch);
  const identity: Identity = list.mergeKey === undefined ? (element) => element : byMergeKey(list.mergeKey);
  checkOrder(patch ?? [], wanted, identity);
  const merged = mergedList(live, patch, list);
  if (merged === undefined) return undefined;
  // Called only for its checks: it throws for elements of mixed types and for empty lists.
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

/** Checks that the patch names only elements that the order names, in the same order. Directives are ignored. */
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
