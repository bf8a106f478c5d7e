import { decodeJsonValue } from '../../codec/json/index.ts';
import type { ResourceObject } from '../../meta/object.ts';

/** Parses a stored document. */
export function readObject(document: Buffer): ResourceObject {
  return decodeJsonValue(document) as ResourceObject;
}
