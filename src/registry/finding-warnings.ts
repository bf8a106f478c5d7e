/**
 * The warnings for findings of which only the first are named. How many there are comes first: the last warnings of an
 * answer may be left out.
 */
export function findingWarnings(named: readonly string[], omitted: number): readonly string[] {
  if (omitted === 0) return named;
  return [`${named.length + omitted} unknown or duplicate fields, the first ${named.length} are named`, ...named];
}
