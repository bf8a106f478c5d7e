/** Keys in the order in which Go writes those of a map. */
export function sortedRecord<V>(entries: ReadonlyMap<string, V>): Record<string, V> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
