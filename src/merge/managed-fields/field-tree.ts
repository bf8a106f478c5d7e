import { compareElements, compareSortKeys, type PathElement, self, sortKey } from './path-element.ts';

/**
 * A set of field paths as FieldsV1 writes it: a trie whose nodes are JSON objects. A node without members of its own is in
 * the set; one that has children is in the set if one of its members is `.`. The root is never in the set.
 *
 * Trees are never changed. The functions share whatever they can, and return their first argument itself when the result
 * has the same paths; so that unchanged sets can be told by identity, and a tree that was read is written as it is.
 * Members are in the order of `compareElements`.
 */
export interface FieldTree {
  readonly [element: PathElement]: FieldTree;
}

export const leaf: FieldTree = Object.freeze({});

export function isLeaf(tree: FieldTree): boolean {
  for (const _element in tree) return false;
  return true;
}

function isMember(node: FieldTree): boolean {
  return node[self] !== undefined || isLeaf(node);
}

/**
 * A node from its members in any order, of which none is `.`, and their nodes. Undefined when nothing is in the set. Both
 * lists are used up.
 */
export function makeNode(elements: PathElement[], nodes: FieldTree[], member: boolean): FieldTree | undefined {
  if (elements.length === 0) return member ? leaf : undefined;
  sortTogether(elements, nodes);
  const node: Record<PathElement, FieldTree> = {};
  if (member) node[self] = leaf;
  for (let index = 0; index < elements.length; index++) node[elements[index]!] = nodes[index]!;
  return node;
}

/** Few, and often already in order. */
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
  const pairs = elements.map((element, index) => ({ element, node: nodes[index]!, key: sortKey(element) }));
  pairs.sort((left, right) => compareSortKeys(left.key, right.key));
  for (const [index, { element, node }] of pairs.entries()) {
    elements[index] = element;
    nodes[index] = node;
  }
}

function comesBefore(left: PathElement, right: PathElement): boolean {
  // Nearly all are fields.
  if (left.charCodeAt(0) === 0x66 && right.charCodeAt(0) === 0x66) return left < right;
  return compareElements(left, right) < 0;
}

/** Undefined stands for the empty set, here and below. */
export function unite(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  if (left === right || right === undefined) return left;
  if (left === undefined) return right;
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  let changed = false;
  for (const element in left) {
    if (element === self) continue;
    const own = left[element]!;
    const merged = unite(own, right[element])!;
    if (merged !== own) changed = true;
    elements.push(element);
    nodes.push(merged);
  }
  for (const element in right) {
    if (element === self || left[element] !== undefined) continue;
    changed = true;
    elements.push(element);
    nodes.push(right[element]!);
  }
  const member = isMember(left) || isMember(right);
  if (!changed && member === isMember(left)) return left;
  return makeNode(elements, nodes, member);
}

/** Without the paths of `right`; what is below them stays. */
export function subtract(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  if (left === undefined || right === undefined) return left;
  return reduce(left, right, { member: isMember(left) && !isMember(right), child: subtract });
}

/** Without the paths of `right` and all that is below them. */
export function subtractRecursively(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  if (left === undefined || right === undefined) return left;
  if (isMember(right)) return undefined;
  return reduce(left, right, { member: isMember(left), child: subtractRecursively });
}

interface Reduction {
  readonly member: boolean;
  readonly child: (left: FieldTree, right: FieldTree | undefined) => FieldTree | undefined;
}

function reduce(left: FieldTree, right: FieldTree, { member, child }: Reduction): FieldTree | undefined {
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  let changed = member !== isMember(left);
  for (const element in left) {
    if (element === self) continue;
    const own = left[element]!;
    const other = right[element];
    const rest = other === undefined ? own : child(own, other);
    if (rest !== own) changed = true;
    if (rest === undefined) continue;
    elements.push(element);
    nodes.push(rest);
  }
  return changed ? makeNode(elements, nodes, member) : left;
}

/** The paths that both have. */
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
  const member = isMember(left) && isMember(right);
  if (!changed && member === isMember(left)) return left;
  return makeNode(elements, nodes, member);
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

/** Visits every path of the set in order. `path` is reused: whoever keeps it copies it. */
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
