import { FieldSet } from './field-set.ts';
import { type FieldTree, isLeaf, leaf } from './field-tree.ts';
import { self } from './path-element.ts';
import { entryShape, type Shape, type StructShape } from './shape.ts';

/** Caches results, because many objects share the same sets. Nearly all sets need no change. */
const reconciled = new WeakMap<StructShape, WeakMap<FieldTree, FieldTree>>();

/**
 * Adapts a set that was written for an earlier schema of the type. When a field has become atomic, the owner of any
 * part of it now owns all of it. When a field is no longer atomic, the set is unchanged: its owner does not own the
 * parts.
 */
export function reconcileFields(shape: StructShape, fields: FieldSet): FieldSet {
  const { tree } = fields;
  if (tree === undefined) return fields;
  let known = reconciled.get(shape);
  if (known === undefined) {
    known = new WeakMap();
    reconciled.set(shape, known);
  }
  let result = known.get(tree);
  if (result === undefined) {
    result = reconcileNode(shape, tree);
    known.set(tree, result);
  }
  return result === tree ? fields : FieldSet.of(result);
}

function reconcileNode(shape: Shape, tree: FieldTree): FieldTree {
  if (shape.type === 'scalar' || shape.type === 'any' || isLeaf(tree)) return tree;
  if (shape.atomic) return leaf;
  let result: Record<string, FieldTree> | undefined;
  for (const element in tree) {
    const inner = element === self ? undefined : shapeBelow(shape, element);
    if (inner === undefined) continue;
    const node = tree[element]!;
    const inside = reconcileNode(inner, node);
    if (inside === node) continue;
    result ??= { ...tree };
    result[element] = inside;
  }
  return result ?? tree;
}

function shapeBelow(shape: Shape, element: string): Shape | undefined {
  if (shape.type === 'list') return shape.items;
  const field = shape.type === 'struct' ? shape.fields.get(element.slice(2))?.shape : undefined;
  return field ?? entryShape(shape);
}
