/**
 * Returns the warnings for findings. Only the first findings are named. The number of the others comes first, because
 * the last warnings of a response may be dropped.
 */
export function findingWarnings(named: readonly string[], omitted: number): readonly string[] {
  if (omitted === 0) return named;
  return [`${named.length + omitted} unknown or duplicate fields, the first ${named.length} are named`, ...named];
}
