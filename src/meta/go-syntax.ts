import { goQuote } from './go-quote.ts';

/** Formats a struct as Go's `%#v` does: `&user.DefaultInfo{Name:"a", UID:"b"}`. The values are formatted already. */
export function goStruct(type: string, values: Readonly<Record<string, string>>): string {
  return `${type}{${joinEntries(Object.entries(values))}}`;
}

/** Formats a list of strings as Go's `%#v` does: `[]string{"a", "b"}`. */
export function goStrings(texts: readonly string[]): string {
  return texts.length === 0 ? '[]string(nil)' : `[]string{${texts.map(goQuote).join(', ')}}`;
}

/** Formats lists of strings by key as Go's `%#v` does: `map[string][]string{"a":[]string{"b"}}`. */
export function goStringLists(lists: Readonly<Record<string, readonly string[]>> | undefined): string {
  if (lists === undefined) return 'map[string][]string(nil)';
  const entries = Object.entries(lists).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[string][]string{${joinEntries(entries.map(([key, texts]) => [goQuote(key), goStrings(texts)]))}}`;
}

function joinEntries(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, value]) => `${name}:${value}`).join(', ');
}
