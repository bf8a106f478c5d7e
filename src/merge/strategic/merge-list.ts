import { goType } from '../../meta/go-value.ts';
import { isJsonObject, type JsonObject, memberOf } from '../../meta/json-object.ts';
import { unclassified, unprocessable } from '../../meta/status-error.ts';
import { patchDirective } from './directives.ts';
import { type Identity, inOrder } from './element-order.ts';
import { missingMergeKey, mixedElements, unexpectedType, unknownDirective } from './strategic-error.ts';

export interface ListMerge {
  readonly mergeKey: string | undefined;
  readonly mergeElement: (live: JsonObject, patch: JsonObject) => JsonObject;
}

/** Merges a list of plain values as a set and a list of objects by merge key. */
export function mergeList(live: readonly unknown[], patch: readonly unknown[], options: ListMerge): unknown[] {
  if (live.length === 0 && patch.length === 0) return [];
  const { mergeKey } = options;
  if (!hasObjects(live, patch)) {
    const union = [...new Set([...live, ...patch])];
    return inOrder(union, { wanted: patch, before: live, identity: (element) => element });
  }
  if (mergeKey === undefined) throw unclassified('cannot merge lists without merge key for struct');
  return mergeObjects(live as JsonObject[], patch as JsonObject[], { ...options, mergeKey });
}

/**
 * Returns whether the elements are objects rather than plain values. All elements must have the same type.
 *
 * @throws StatusError 422 for lists of lists, which cannot be merged
 */
export function hasObjects(...lists: readonly (readonly unknown[])[]): boolean {
  const elements = lists.flat();
  if (elements.length === 0) throw unclassified('no elements in any of the given slices');
  const type = goType(elements[0]);
  if (Array.isArray(elements[0])) throw unprocessable({ cause: new Error('lists of lists are not supported') });
  if (elements.some((element) => element === null || goType(element) !== type)) throw mixedElements(lists);
  return isJsonObject(elements[0]);
}

/** Identifies an element by its merge key. The key is required. */
export function byMergeKey(mergeKey: string): Identity {
  return (element) => {
    if (!isJsonObject(element)) throw unexpectedType('map', element);
    const key = memberOf(element, mergeKey);
    if (key === undefined) throw missingMergeKey(element, mergeKey);
    return key;
  };
}

function mergeObjects(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  { mergeKey, mergeElement }: ListMerge & { mergeKey: string },
): unknown[] {
  const identity = byMergeKey(mergeKey);
  const { deleted, replaces, elements } = readDirectives(patch, identity);
  const before = replaces ? elements : live.filter((element) => !deleted.has(memberOf(element, mergeKey)));
  const wanted = replaces ? [] : elements;
  const result = [...before];
  const indexes = new Map<unknown, number>();
  for (const [index, element] of before.entries()) {
    const key = memberOf(element, mergeKey);
    if (key !== undefined && !indexes.has(key)) indexes.set(key, index);
  }
  for (const element of wanted) {
    const key = identity(element);
    const position = indexes.get(key);
    if (position === undefined) indexes.set(key, result.push(element) - 1);
    else result[position] = mergeElement(result[position]!, element);
  }
  return inOrder(result, { wanted, before, identity });
}

interface ListDirectives {
  readonly deleted: ReadonlySet<unknown>;
  /** Whether the remaining elements replace the list. */
  readonly replaces: boolean;
  /** The patch without the elements that are directives. */
  readonly elements: readonly JsonObject[];
}

function readDirectives(patch: readonly JsonObject[], identity: Identity): ListDirectives {
  const deleted = new Set<unknown>();
  const elements: JsonObject[] = [];
  let replaces = false;
  for (const element of patch) {
    const directive = memberOf(element, patchDirective);
    if (directive === undefined) elements.push(element);
    else if (directive === 'delete') deleted.add(identity(element));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw unclassified('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, element);
  }
  return { deleted, replaces, elements };
}
