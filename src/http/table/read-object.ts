import { decodeJson } from '../../codec/json/index.ts';
import type { ResourceObject } from '../../meta/object.ts';

/** Perhaps an integer that a JavaScript number does not hold. */
const manyDigits = /[0-9]{16}/;

/** The object of a document. */
export function readObject(document: Buffer): ResourceObject {
  return read(document.toString()) as ResourceObject;
}

/** The objects of a group of items as a list has them: with a comma before each, and without kind and apiVersion. */
export function readItems(group: Buffer, type: { kind: string; apiVersion: string }): ResourceObject[] {
  if (group.length === 0) return [];
  const items = read(`[${group.toString('utf8', 1)}]`) as ResourceObject[];
  return items.map((item) => ({ ...type, ...item }));
}

function read(text: string): unknown {
  return manyDigits.test(text) ? decodeJson(Buffer.from(text)).value : JSON.parse(text);
}
