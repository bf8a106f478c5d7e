/**
 * Decodes JSON bytes to plain values and encodes them, independent of types: no defaults, no validation, no canonical
 * order. Details of the text that the value does not preserve, such as duplicate keys, are returned with the value, so
 * that callers can report them.
 */
export { decodeJson } from './decode-json.ts';
export { encodeChanged, type ParsedDocument } from './encode-changed.ts';
export { encodeJson, rawBigInt } from './encode-json.ts';
export { encodeObject, fieldSetText } from './encode-object.ts';
export { indentedChunks, indentJson } from './indent-json.ts';
export type { ExactJson } from './parse-exactly.ts';
export { plainObjectReader } from './plain-object.ts';
export { utf8Bytes } from './utf8-bytes.ts';
