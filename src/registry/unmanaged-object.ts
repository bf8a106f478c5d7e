import { comma, memberAt, valueEnd } from '../codec/json/document-members.ts';
import { decodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';

const metadataName = Buffer.from('metadata');
const managedFieldsName = Buffer.from('managedFields');
/** What stands before the entries: a comma, because they are never the first, and their name. */
const beforeEntries = `,"${managedFieldsName}":`.length;
const metadataOpen = Buffer.from('{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":');
const metadataClose = Buffer.from('}');

/** The object of a document without its managed fields: most who look at objects do not need what costs most to read. */
export function readUnmanaged(document: Buffer): ResourceObject {
  const metadata = memberAt(document, 0, metadataName);
  const entries = metadata < 0 ? metadata : memberAt(document, metadata, managedFieldsName);
  const start = entries - beforeEntries;
  if (entries < 0 || document[start] !== comma) return readPlainly(document);
  const rest = [document.subarray(0, start), document.subarray(valueEnd(document, entries))];
  return decodeJson(Buffer.concat(rest)).value as ResourceObject;
}

/** As clients get an object of which they want nothing but the metadata. */
export function metadataOf({ metadata }: ResourceObject): ResourceObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

/** The same of a document, without its managed fields. The rest is not read. */
export function readUnmanagedMetadata(document: Buffer): ResourceObject {
  const metadata = memberAt(document, 0, metadataName);
  if (metadata < 0) return metadataOf(readPlainly(document));
  const entries = memberAt(document, metadata, managedFieldsName);
  const start = entries - beforeEntries;
  const isCut = entries >= 0 && document[start] === comma;
  const from = isCut ? valueEnd(document, entries) : metadata + 1;
  const end = valueEnd(document, from, 1);
  const parts = isCut
    ? [metadataOpen, document.subarray(metadata, start), document.subarray(from, end), metadataClose]
    : [metadataOpen, document.subarray(metadata, end), metadataClose];
  const object = decodeJson(Buffer.concat(parts)).value as ResourceObject;
  if (!isCut) delete object.metadata.managedFields;
  return object;
}

function readPlainly(document: Buffer): ResourceObject {
  const object = decodeJson(document).value as ResourceObject;
  delete object.metadata.managedFields;
  return object;
}
