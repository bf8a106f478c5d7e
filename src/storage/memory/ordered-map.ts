import sortedBTree from 'sorted-btree';

// Node gives the whole CommonJS module for its default import, vitest the class itself.
type OrderedMapClass = typeof sortedBTree.default;
const module: unknown = sortedBTree;
const OrderedMap = typeof module === 'function' ? (module as OrderedMapClass) : sortedBTree.default;

/** A map from strings to values in the order of `<`. */
export function createOrderedMap<V>() {
  return new OrderedMap<string, V>(undefined, compare);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
