import { FieldSet } from './field-set.ts';
import { type FieldTree, leaf, type Membership, makeNode } from './field-tree.ts';
import { type PathElement, self } from './path-element.ts';

/** Unfinished nodes are maps; finished nodes are plain objects. */
type DraftNode = Map<PathElement, DraftNode | FieldTree>;

/** Builds a tree from the paths that a walk finds, in any order. The walk visits every node once. */
export class FieldDraft {
  readonly #root: DraftNode = new Map();

  insert(path: readonly PathElement[]): void {
    this.#node(path, path.length).set(self, leaf);
  }

  /** Adds a node together with everything below it. */
  attach(path: readonly PathElement[], tree: FieldTree): void {
    this.#node(path, path.length - 1).set(path.at(-1)!, tree);
  }

  #node(path: readonly PathElement[], depth: number): DraftNode {
    let node = this.#root;
    for (let index = 0; index < depth; index++) {
      const element = path[index]!;
      let child = node.get(element);
      if (!(child instanceof Map)) {
        child = new Map();
        node.set(element, child);
      }
      node = child;
    }
    return node;
  }

  finish(): FieldSet {
    return FieldSet.of(this.#root.size === 0 ? undefined : finish(this.#root));
  }
}

function finish(node: DraftNode): FieldTree {
  const nodes: FieldTree[] = [];
  const elements: PathElement[] = [];
  for (const [element, child] of node) {
    if (element === self) continue;
    elements.push(element);
    nodes.push(child instanceof Map ? finish(child) : child);
  }
  return makeNode(elements, nodes, membershipOf(node)) ?? leaf;
}

function membershipOf(node: DraftNode): Membership {
  return node.has(self) ? 'member' : 'children only';
}
