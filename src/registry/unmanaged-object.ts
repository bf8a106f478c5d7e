import { comma, memberAt, noMember, valueEnd } from '../codec/json/document-members.ts';
import { decodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';

const metadataName = Buffer.from('metadata');
const managedFieldsName = Buffer.from('managedFields');
/** The text before the entries: a comma, because they never come first, and their name. */
const beforeEntries = `,"${managedFieldsName}":`.length;

/** Parses a document without its managed fields: most readers do not need them, and they cost most to parse. */
export function readUnmanaged(document: Buffer): ResourceObject {
  const metadata = memberAt(document, 0, metadataName);
  const entries = metadata < 0 ? metadata : memberAt(document, metadata, managedFieldsName);
  const start = entries - beforeEntries;
  if (entries < 0 || document[start] !== comma) return readPlainly(document);
  const rest = [document.subarray(0, start), document.subarray(valueEnd(document, entries))];
  return decodeJson(Buffer.concat(rest)).value as ResourceObject;
}

/** The object reduced to its metadata. */
export function metadataOf({ metadata }: ResourceObject): ResourceObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

/**
 * Parses only the metadata of a document, without the managed fields, which come last in it. The rest is not scanned.
 */
export function readUnmanagedMetadata(document: Buffer): ResourceObject {
  const metadata = memberAt(document, 0, metadataName);
  const entries = metadata < 0 ? metadata : memberAt(document, metadata, managedFieldsName);
  const start = entries - beforeEntries;
  const isCut = entries >= 0 && document[start] === comma;
  if (!isCut && entries !== noMember) return metadataOf(readPlainly(document));
  const text = isCut
    ? `${document.toString('utf8', metadata, start)}}`
    : document.toString('utf8', metadata, valueEnd(document, metadata));
  // The server wrote the document: it has no duplicate keys and only small numbers, and names that need an escape are
  // rejected.
  const read = text.includes('\\') ? decodeJson(Buffer.from(text)).value : JSON.parse(text);
  return metadataOf({ metadata: read });
}

function readPlainly(document: Buffer): ResourceObject {
  const object = decodeJson(document).value as ResourceObject;
  delete object.metadata.managedFields;
  return object;
}
