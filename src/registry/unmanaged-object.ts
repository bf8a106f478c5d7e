import { comma, memberAt, noMember, valueEnd } from '../codec/json/document-members.ts';
import { decodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';

const metadataName = Buffer.from('metadata');
const managedFieldsName = Buffer.from('managedFields');
/** What stands before the entries: a comma, because they are never the first, and their name. */
const beforeEntries = `,"${managedFieldsName}":`.length;

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

/** The same of a document, without its managed fields, which are the last of the metadata. The rest is not even looked at. */
export function readUnmanagedMetadata(document: Buffer): ResourceObject {
  const metadata = memberAt(document, 0, metadataName);
  const entries = metadata < 0 ? metadata : memberAt(document, metadata, managedFieldsName);
  const start = entries - beforeEntries;
  const isCut = entries >= 0 && document[start] === comma;
  if (!isCut && entries !== noMember) return metadataOf(readPlainly(document));
  const text = isCut
    ? `${document.toString('utf8', metadata, start)}}`
    : document.toString('utf8', metadata, valueEnd(document, metadata));
  // The server has written it: nothing is there twice, numbers are small, and names that need an escape are refused.
  const read = text.includes('\\') ? decodeJson(Buffer.from(text)).value : JSON.parse(text);
  return metadataOf({ metadata: read });
}

function readPlainly(document: Buffer): ResourceObject {
  const object = decodeJson(document).value as ResourceObject;
  delete object.metadata.managedFields;
  return object;
}
