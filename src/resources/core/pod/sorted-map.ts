/** The map with its keys in the order in which maps are written. */
export function sortedMap<Value>(map: Record<string, Value>): Record<string, Value> {
  const sorted: Record<string, Value> = {};
  for (const key of Object.keys(map).sort()) sorted[key] = map[key]!;
  return sorted;
}
