type Entries = Readonly<Record<string, string>>;

/** The entries of both maps, sorted by key as in storage. Those of the second map take precedence. */
export function mergedMap(first: Entries | undefined, second: Entries): Record<string, string> {
  const merged = Object.entries({ ...first, ...second });
  return Object.fromEntries(merged.sort(([left], [right]) => (left < right ? -1 : 1)));
}
