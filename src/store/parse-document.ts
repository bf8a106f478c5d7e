import {
  closeBracket,
  comma,
  memberAt,
  noMember,
  openBrace,
  openBracket,
  otherSpelling,
  valueEnd,
} from '../codec/json/document-members.ts';
import { decodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { RecentFieldSets } from './recent-field-sets.ts';

const metadataName = Buffer.from('metadata');
const managedFieldsName = Buffer.from('managedFields');
const fieldsName = Buffer.from('fieldsV1');
const emptySet = Buffer.from('{}');

/** The byte range of a field set in a document; the end is exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
  /** Undefined when it has to be parsed. */
  readonly set: unknown;
}

const fieldSets = new RecentFieldSets();

/**
 * Parses a stored document. The field sets in `metadata.managedFields` are parsed separately: their names contain
 * escapes, which only the slow parser handles, and most objects have the same field sets as others. The parsed sets are
 * shared and must not be modified; everything else is a fresh copy.
 */
export function parseDocument(document: Buffer): ResourceObject {
  const ranges = fieldSetRanges(document);
  if (ranges.length === 0) return decodeJson(document).value as ResourceObject;
  const object = decodeJson(withoutSets(document, ranges)).value as ResourceObject;
  const entries = object.metadata.managedFields as { fieldsV1?: unknown }[];
  let next = 0;
  for (const entry of entries) {
    if (entry.fieldsV1 === undefined) continue;
    const { start, end, set } = ranges[next++]!;
    entry.fieldsV1 = set ?? fieldSets.read(document, start, end);
  }
  return object;
}

/** Returns no ranges if there are no field sets, or if the document differs from the encoder's output. */
function fieldSetRanges(document: Buffer): readonly Range[] {
  const metadata = memberAt(document, 0, metadataName);
  const entries = metadata < 0 ? metadata : memberAt(document, metadata, managedFieldsName);
  if (entries < 0 || document[entries] !== openBracket) return [];
  const ranges: Range[] = [];
  let at = entries;
  do {
    const entry = at + 1;
    const start = memberAt(document, entry, fieldsName);
    if (start === otherSpelling) return [];
    const hasSet = start !== noMember;
    if (hasSet && document[start] !== openBrace) return [];
    const range = hasSet ? rangeAt(document, start) : undefined;
    if (range !== undefined) ranges.push(range);
    at = valueEnd(document, range?.end ?? entry + 1, 1);
  } while (document[at] === comma);
  return document[at] === closeBracket ? ranges : [];
}

function rangeAt(document: Buffer, start: number): Range {
  const known = fieldSets.startingAt(document, start);
  return { start, end: known === undefined ? valueEnd(document, start) : start + known.text.length, set: known?.value };
}

/** Replaces each field set with an empty one. */
function withoutSets(document: Buffer, ranges: readonly Range[]): Buffer {
  const removed = ranges.reduce((sum, { start, end }) => sum + end - start - emptySet.length, 0);
  const rest = Buffer.allocUnsafe(document.length - removed);
  let to = 0;
  let from = 0;
  for (const { start, end } of ranges) {
    to += document.copy(rest, to, from, start);
    to += emptySet.copy(rest, to);
    from = end;
  }
  document.copy(rest, to, from);
  return rest;
}
