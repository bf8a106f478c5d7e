import { decodeJson } from '../../codec/json/index.ts';
import type { ResourceObject } from '../../meta/object.ts';

/** The object of a document. */
export function readObject(document: Buffer): ResourceObject {
  return decodeJson(document).value as ResourceObject;
}
