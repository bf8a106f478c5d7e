import sortedBTree from 'sorted-btree';

// The default import is the whole CommonJS module in Node, but the class itself in vitest.
type OrderedMapClass = typeof sortedBTree.default;
const module: unknown = sortedBTree;
const OrderedMap = typeof module === 'function' ? (module as OrderedMapClass) : sortedBTree.default;

/** A map with string keys, ordered by `<`. */
export function createOrderedMap<V>() {
  return new OrderedMap<string, V>(undefined, compare);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
