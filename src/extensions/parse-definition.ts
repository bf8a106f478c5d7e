import {
  closeBracket,
  comma,
  memberAt,
  noMember,
  openBrace,
  openBracket,
  valueEnd,
} from '../codec/json/document-members.ts';
import { decodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { CustomResourceDefinitionVersion } from '../resources/apiextensions/custom-resource-definition-types.ts';
import { specOf } from '../resources/apiextensions/definition-parts.ts';
import type { JsonSchema } from '../schema/structural/json-schema.ts';
import { parseDocument } from '../store/index.ts';

const specName = Buffer.from('spec');
const versionsName = Buffer.from('versions');
const schemaName = Buffer.from('schema');
const sourceName = Buffer.from('openAPIV3Schema');
const emptyObject = Buffer.from('{}');

/** The schema of a version, as it is stored. */
interface SchemaText {
  bytes: Buffer;
}

const schemaTexts = new WeakMap<object, SchemaText>();

/** The spec of a document. */
interface ParsedSpec {
  readonly range: Range;
  readonly spec: unknown;
  readonly schemas: readonly { readonly range: Range; readonly text: SchemaText }[];
}

const parsedSpecs = new WeakMap<Buffer, ParsedSpec>();

/**
 * Parses a stored definition without the schemas of its versions: they are the largest part, and those of most types
 * are never used. A schema is parsed when it is read, and then kept. If the previous document was parsed here and has
 * the same spec, the objects share it.
 */
export function parseDefinition(document: Buffer, previous?: Buffer): ResourceObject {
  const start = memberAt(document, 0, specName);
  const known = previous && parsedSpecs.get(previous);
  if (start > 0 && known !== undefined && isSameSpec(document, start, { previous: previous!, range: known.range })) {
    return withKnownSpec(document, start, known);
  }
  const ranges = schemaRanges(document, start);
  if (ranges === undefined) return parseDocument(document);
  const object = parseDocument(without(document, ranges.schemas));
  const versions = (specOf(object).versions ?? []) as Record<string, unknown>[];
  const schemas = versions.flatMap((version, index) => {
    const range = ranges.schemas[index];
    if (range === undefined) return [];
    const text = { bytes: document.subarray(range.start, range.end) };
    version.schema = lazySchema(text);
    return { range, text };
  });
  parsedSpecs.set(document, { range: { start, end: ranges.end }, spec: object.spec, schemas });
  return object;
}

function isSameSpec(
  document: Buffer,
  start: number,
  { previous, range }: { readonly previous: Buffer; readonly range: Range },
): boolean {
  const end = start + range.end - range.start;
  return end < document.length && document.compare(previous, range.start, range.end, start, end) === 0;
}

function withKnownSpec(document: Buffer, start: number, { range, spec, schemas }: ParsedSpec): ResourceObject {
  const moved = (from: Range): Range => {
    const shift = start - range.start;
    return { start: from.start + shift, end: from.end + shift };
  };
  const object = parseDocument(without(document, [moved(range)]));
  object.spec = spec;
  const present = schemas.map((schema) => ({ range: moved(schema.range), text: schema.text }));
  // The cached texts must not keep the previous document in memory.
  for (const { range, text } of present) text.bytes = document.subarray(range.start, range.end);
  parsedSpecs.set(document, { range: moved(range), spec, schemas: present });
  return object;
}

/** The text of a version's schema if it was parsed by `parseDefinition`, otherwise the schema itself. */
export function schemaIdentity({ schema }: CustomResourceDefinitionVersion): unknown {
  return schema && (schemaTexts.get(schema) ?? schema);
}

function lazySchema(text: SchemaText): object {
  let parsed: JsonSchema | undefined;
  const schema = {
    get openAPIV3Schema() {
      parsed ??= decodeJson(text.bytes).value as JsonSchema;
      return parsed;
    },
  };
  schemaTexts.set(schema, text);
  return schema;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface SpecRanges {
  /** The schema of each version, undefined where it has none. */
  readonly schemas: readonly (Range | undefined)[];
  /** The end of the spec. */
  readonly end: number;
}

/** Undefined when the document is not in the stored form. */
function schemaRanges(document: Buffer, spec: number): SpecRanges | undefined {
  const versions = spec < 0 ? spec : memberAt(document, spec, versionsName);
  if (versions < 0 || document[versions] !== openBracket || document[versions + 1] !== openBrace) return undefined;
  const schemas: (Range | undefined)[] = [];
  let at = versions;
  do {
    const version = at + 1;
    const schema = memberAt(document, version, schemaName);
    const start = schema < 0 ? schema : memberAt(document, schema, sourceName);
    if (start < 0 && start !== noMember) return undefined;
    const end = start < 0 ? version + 1 : valueEnd(document, start);
    schemas.push(start < 0 ? undefined : { start, end });
    at = start < 0 ? valueEnd(document, version) : valueEnd(document, end, 2);
  } while (document[at] === comma);
  return document[at] === closeBracket ? { schemas, end: valueEnd(document, at + 1, 1) } : undefined;
}

/** Returns the document with empty objects in place of the ranges. */
function without(document: Buffer, ranges: readonly (Range | undefined)[]): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const range of ranges) {
    if (range === undefined) continue;
    pieces.push(document.subarray(from, range.start), emptyObject);
    from = range.end;
  }
  return Buffer.concat([...pieces, document.subarray(from)]);
}
