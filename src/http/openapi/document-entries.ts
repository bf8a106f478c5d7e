import { encodeJson } from '../../codec/json/index.ts';
import type { Steps } from '../../meta/turns.ts';
import type { FieldWriter } from './gnostic-fields.ts';

/** The parts of a document other than its paths and schemas. Documents without schemas do not mention them. */
export interface DocumentLayout {
  readonly document: (paths: object, schemas: object | undefined) => object;
  /** Like `document`, with nothing but the paths and schemas. */
  readonly fragment: (paths: object, schemas: object) => object;
  /** Describes the protobuf encoding. */
  readonly fields: FieldWriter;
}

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
    // Schemas of definitions can have bigints.
    texts.push(`${encodeJson(name)}:${encodeJson(members[name])}`);
    yield;
  }
  return texts;
}

/** Separates entries in a text. JSON has no other line breaks: those in strings are escaped. */
export const separator = Buffer.from(',\n');

/** The texts of the entries, one at a time. */
export function* splitEntries(joined: Buffer): Generator<string> {
  for (let start = 0; start < joined.length; ) {
    const found = joined.indexOf(separator, start);
    const end = found < 0 ? joined.length : found;
    yield joined.toString('utf8', start, end);
    start = end + separator.length;
  }
}
