type Entries = Readonly<Record<string, string>>;

/** The entries of both maps by key, as they are stored. Those of the second one win. */
export function mergedMap(first: Entries | undefined, second: Entries): Record<string, string> {
  const merged = Object.entries({ ...first, ...second });
  return Object.fromEntries(merged.sort(([left], [right]) => (left < right ? -1 : 1)));
}
