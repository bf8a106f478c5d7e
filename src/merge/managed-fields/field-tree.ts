import { compareElements, compareSortKeys, type PathElement, self, sortKey } from './path-element.ts';

/**
 * A set of field paths in the FieldsV1 format: a trie whose nodes are JSON objects. A node without members is in the
 * set. A node with children is in the set if it has a member named `.`. The root is never in the set.
 *
 * Trees are immutable. The functions below share nodes where possible and return their first argument itself when the
 * result has the same paths. Callers can therefore detect unchanged sets by identity, and a tree that was read is
 * written back unmodified. Members are in the order of `compareElements`.
 */
export interface FieldTree {
  readonly [element: PathElement]: FieldTree;
}

/** Whether the set contains a node itself, or only paths below it. */
export type Membership = 'member' | 'children only';

export const leaf: FieldTree = Object.freeze({});

export function isLeaf(tree: FieldTree): boolean {
  for (const _element in tree) return false;
  return true;
}

function isMember(node: FieldTree): boolean {
  return node[self] !== undefined || isLeaf(node);
}

export function membershipOf(node: FieldTree): Membership {
  return isMember(node) ? 'member' : 'children only';
}

/**
 * Builds a node from its elements, in any order and without `.`, and their nodes. Returns undefined when the set is
 * empty. Modifies both lists.
 */
export function makeNode(elements: PathElement[], nodes: FieldTree[], membership: Membership): FieldTree | undefined {
  if (elements.length === 0) return membership === 'member' ? leaf : undefined;
  sortTogether(elements, nodes);
  const node: Record<PathElement, FieldTree> = {};
  if (membership === 'member') node[self] = leaf;
  for (let index = 0; index < elements.length; index++) node[elements[index]!] = nodes[index]!;
  return node;
}

/** Insertion sort: there are few elements, and they are often already sorted. */
function sortTogether(elements: PathElement[], nodes: FieldTree[]): void {
  for (let end = 1; end < elements.length; end++) {
    const element = elements[end]!;
    if (!comesBefore(element, elements[end - 1]!)) continue;
    if (end > 40) {
      sortMany(elements, nodes);
      return;
    }
    const node = nodes[end]!;
    let position = end;
    while (position > 0 && comesBefore(element, elements[position - 1]!)) {
      elements[position] = elements[position - 1]!;
      nodes[position] = nodes[position - 1]!;
      position--;
    }
    elements[position] = element;
    nodes[position] = node;
  }
}

function sortMany(elements: PathElement[], nodes: FieldTree[]): void {
  if (elements.every(isField)) {
    sortFields(elements, nodes);
    return;
  }
  const pairs = elements.map((element, index) => ({ element, node: nodes[index]!, key: sortKey(element) }));
  pairs.sort((left, right) => compareSortKeys(left.key, right.key));
  for (const [index, { element, node }] of pairs.entries()) {
    elements[index] = element;
    nodes[index] = node;
  }
}

function isField(element: PathElement): boolean {
  return element.charCodeAt(0) === 0x66;
}

/** The order of fields is that of their text, for which sorting needs no comparison function. */
function sortFields(elements: PathElement[], nodes: FieldTree[]): void {
  const known = new Map<PathElement, FieldTree>();
  for (const [index, element] of elements.entries()) known.set(element, nodes[index]!);
  elements.sort();
  for (const [index, element] of elements.entries()) nodes[index] = known.get(element)!;
}

function comesBefore(left: PathElement, right: PathElement): boolean {
  // Fast path: nearly all elements are fields.
  if (isField(left) && isField(right)) return left < right;
  return compareElements(left, right) < 0;
}

/** Undefined represents the empty set, here and below. */
export function union(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  if (left === right || right === undefined) return left;
  if (left === undefined) return right;
  const own: NodeList = { elements: [], nodes: [] };
  const added: NodeList = { elements: [], nodes: [] };
  let changed = false;
  for (const element in left) {
    if (element === self) continue;
    const node = left[element]!;
    const merged = union(node, right[element])!;
    if (merged !== node) changed = true;
    own.elements.push(element);
    own.nodes.push(merged);
  }
  // Listing the elements of a large node is slow, so `isMember` must not repeat it.
  const wasMember = left[self] !== undefined || own.elements.length === 0;
  let becomesMember = wasMember || right[self] !== undefined;
  let isEmpty = true;
  for (const element in right) {
    isEmpty = false;
    if (element === self || left[element] !== undefined) continue;
    added.elements.push(element);
    added.nodes.push(right[element]!);
  }
  if (isEmpty) becomesMember = true;
  if (!changed && added.elements.length === 0 && becomesMember === wasMember) return left;
  const { elements, nodes } = merge(own, added);
  return makeNode(elements, nodes, becomesMember ? 'member' : 'children only');
}

/** Elements and their nodes. Both lists have the same order. */
interface NodeList {
  readonly elements: PathElement[];
  readonly nodes: FieldTree[];
}

/** Merges two sorted lists. */
function merge(left: NodeList, right: NodeList): NodeList {
  if (right.elements.length === 0) return left;
  const merged: NodeList = { elements: [], nodes: [] };
  let next = 0;
  const take = (from: NodeList, index: number) => {
    merged.elements.push(from.elements[index]!);
    merged.nodes.push(from.nodes[index]!);
  };
  for (let index = 0; index < left.elements.length; index++) {
    while (next < right.elements.length && comesBefore(right.elements[next]!, left.elements[index]!)) {
      take(right, next++);
    }
    take(left, index);
  }
  while (next < right.elements.length) take(right, next++);
  return merged;
}

/** Removes the paths of `right`, but keeps paths below them. */
export function subtract(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  return left === undefined || right === undefined ? left : reduce(left, right, subtract);
}

/** Removes the paths of `right` and all paths below them. */
export function subtractRecursively(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  if (left === undefined || right === undefined) return left;
  return isMember(right) ? undefined : reduce(left, right, subtractRecursively);
}

type ReduceChild = (left: FieldTree, right: FieldTree | undefined) => FieldTree | undefined;

function reduce(left: FieldTree, right: FieldTree, child: ReduceChild): FieldTree | undefined {
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  let changed = false;
  let isEmpty = true;
  let haveCommon = false;
  for (const element in left) {
    if (element === self) continue;
    isEmpty = false;
    const own = left[element]!;
    const other = right[element];
    if (other !== undefined) haveCommon = true;
    const rest = other === undefined ? own : child(own, other);
    if (rest !== own) changed = true;
    if (rest === undefined) continue;
    elements.push(element);
    nodes.push(rest);
  }
  const wasMember = left[self] !== undefined || isEmpty;
  // Listing the elements of a large node is slow. A node with a common element is not a leaf.
  const isRemoved = right[self] !== undefined || (!haveCommon && isLeaf(right));
  const staysMember = wasMember && !isRemoved;
  if (!changed && staysMember === wasMember) return left;
  return makeNode(elements, nodes, staysMember ? 'member' : 'children only');
}

/** Returns the paths that are in both sets. */
export function intersect(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (left === right) return left;
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  let changed = false;
  for (const element in left) {
    if (element === self) continue;
    const own = left[element]!;
    const common = intersect(own, right[element]);
    if (common !== own) changed = true;
    if (common === undefined) continue;
    elements.push(element);
    nodes.push(common);
  }
  const wasMember = isMember(left);
  const staysMember = wasMember && isMember(right);
  if (!changed && staysMember === wasMember) return left;
  return makeNode(elements, nodes, staysMember ? 'member' : 'children only');
}

export function sameTree(left: FieldTree | undefined, right: FieldTree | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  let count = 0;
  for (const element in left) {
    const other = right[element];
    if (other === undefined || !sameTree(left[element], other)) return false;
    count++;
  }
  for (const _element in right) count--;
  return count === 0;
}

/** Visits every path of the set in order. `path` is reused between calls: callers that keep it must copy it. */
export function visitPaths(tree: FieldTree | undefined, visit: (path: readonly PathElement[]) => void): void {
  if (tree !== undefined) visitBelow(tree, [], visit);
}

function visitBelow(node: FieldTree, path: PathElement[], visit: (path: readonly PathElement[]) => void): void {
  for (const element in node) {
    if (element === self) continue;
    const child = node[element]!;
    path.push(element);
    if (isMember(child)) visit(path);
    visitBelow(child, path, visit);
    path.pop();
  }
}

export function hasPath(tree: FieldTree | undefined, path: readonly PathElement[]): boolean {
  let node = tree;
  for (const element of path) {
    if (node === undefined) return false;
    node = node[element];
  }
  return node !== undefined && node !== tree && isMember(node);
}

export { isMember as isInSet };
