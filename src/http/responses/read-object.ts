import { decodeJson } from '../../codec/json/index.ts';
import type { ResourceObject } from '../../meta/object.ts';

/** Parses a stored document. */
export function readObject(document: Buffer): ResourceObject {
  return decodeJson(document).value as ResourceObject;
}
