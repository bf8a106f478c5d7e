import type { Steps } from '../../meta/turns.ts';

/** The members of the two large objects of a document, each as JSON text `"name":value`, sorted by name. */
export interface DocumentEntries {
  readonly paths: readonly string[];
  readonly schemas: readonly string[];
}

export function* entriesOf(
  paths: Readonly<Record<string, object>>,
  schemas: Readonly<Record<string, object>>,
): Steps<DocumentEntries> {
  return { paths: yield* entries(paths), schemas: yield* entries(schemas) };
}

function* entries(members: Readonly<Record<string, object>>): Steps<string[]> {
  const texts: string[] = [];
  for (const name of Object.keys(members).sort()) {
    texts.push(`${JSON.stringify(name)}:${JSON.stringify(members[name])}`);
    yield;
  }
  return texts;
}

/** Between entries in a text. JSON has no other line breaks: those in strings are escaped. */
const separator = ',\n';

export function joinedEntries(entries: readonly string[]): string {
  return entries.join(separator);
}

/** The inverse of `joinedEntries`. */
export function splitEntries(text: string): string[] {
  return text === '' ? [] : text.split(separator);
}
