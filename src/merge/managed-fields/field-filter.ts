import { FieldSet } from './field-set.ts';
import { type FieldTree, isLeaf, type Membership, makeNode, membershipOf } from './field-tree.ts';
import { type PathElement, self } from './path-element.ts';

/** Selects the fields that a request can change, for requests that cannot change the whole object. */
export type FieldFilter = (set: FieldSet) => FieldSet;

export const everything: FieldFilter = (set) => set;

/** Selects all fields except these and everything below them. */
export function except(fields: FieldSet): FieldFilter {
  return (set) => set.recursiveDifference(fields);
}

/** Selects these fields, everything below them and the containers around them. */
export function only(fields: FieldSet): FieldFilter {
  const { tree } = fields;
  return (set) => {
    if (tree === undefined || set.tree === undefined) return FieldSet.empty;
    return FieldSet.of(keepMembers(set.tree, tree, 'children only'));
  };
}

function keep(node: FieldTree, wanted: FieldTree): FieldTree | undefined {
  return isLeaf(wanted) ? node : keepMembers(node, wanted, membershipOf(node));
}

function keepMembers(node: FieldTree, wanted: FieldTree, membership: Membership): FieldTree | undefined {
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  for (const element in node) {
    if (element === self) continue;
    const inside = wanted[element];
    const child = inside === undefined ? undefined : keep(node[element]!, inside);
    if (child === undefined) continue;
    elements.push(element);
    nodes.push(child);
  }
  return makeNode(elements, nodes, membership);
}
