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
import { type DefinitionVersion, specOf } from '../resources/apiextensions/definition-shape.ts';
import type { JsonSchema } from '../schema/structural/json-schema.ts';
import { parseDocument } from '../store/index.ts';

const specName = Buffer.from('spec');
const versionsName = Buffer.from('versions');
const schemaName = Buffer.from('schema');
const sourceName = Buffer.from('openAPIV3Schema');
const emptySchema = Buffer.from('{}');

/** The schema of a version, as it is stored. */
const schemaTexts = new WeakMap<object, Buffer>();

/**
 * Parses a stored definition, except the schemas of its versions: they are nearly all of it, and those of most types are
 * never used. A schema is parsed when it is read, and then kept.
 */
export function parseDefinition(document: Buffer): ResourceObject {
  const texts = schemaRanges(document);
  if (texts === undefined) return parseDocument(document);
  const object = parseDocument(withoutSchemas(document, texts));
  const versions = (specOf(object).versions ?? []) as Record<string, unknown>[];
  for (const [index, version] of versions.entries()) {
    const range = texts[index];
    if (range !== undefined) version.schema = lazySchema(document.subarray(range.start, range.end));
  }
  return object;
}

/** The text of a version's schema if it was parsed by `parseDefinition`, otherwise the schema itself. */
export function schemaIdentity({ schema }: DefinitionVersion): unknown {
  return schema && (schemaTexts.get(schema) ?? schema);
}

function lazySchema(text: Buffer): object {
  let parsed: JsonSchema | undefined;
  const schema = {
    get openAPIV3Schema() {
      parsed ??= decodeJson(text).value as JsonSchema;
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

/** The schema of each version, undefined where it has none. Undefined when the document is not in the stored form. */
function schemaRanges(document: Buffer): (Range | undefined)[] | undefined {
  const spec = memberAt(document, 0, specName);
  const versions = spec < 0 ? spec : memberAt(document, spec, versionsName);
  if (versions < 0 || document[versions] !== openBracket || document[versions + 1] !== openBrace) return undefined;
  const ranges: (Range | undefined)[] = [];
  let at = versions;
  do {
    const version = at + 1;
    const schema = memberAt(document, version, schemaName);
    const start = schema < 0 ? schema : memberAt(document, schema, sourceName);
    if (start < 0 && start !== noMember) return undefined;
    const end = start < 0 ? version + 1 : valueEnd(document, start);
    ranges.push(start < 0 ? undefined : { start, end });
    at = start < 0 ? valueEnd(document, version) : valueEnd(document, end, 2);
  } while (document[at] === comma);
  return document[at] === closeBracket ? ranges : undefined;
}

function withoutSchemas(document: Buffer, ranges: readonly (Range | undefined)[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const range of ranges) {
    if (range === undefined) continue;
    parts.push(document.subarray(from, range.start), emptySchema);
    from = range.end;
  }
  return Buffer.concat([...parts, document.subarray(from)]);
}
