/** Returns the map with sorted keys, the order of the canonical form. */
export function sortedMap<Value>(map: Record<string, Value>): Record<string, Value> {
  const sorted: Record<string, Value> = {};
  for (const key of Object.keys(map).sort()) sorted[key] = map[key]!;
  return sorted;
}
