/**
 * JSON bytes to plain values and back, without knowing types: no defaults, no checks, no canonical order. What a value
 * cannot hold of its text is returned beside it, for those who report it.
 */
export { decodeJson } from './decode-json.ts';
export { encodeJson } from './encode-json.ts';
export { indentedPieces, indentJson } from './indent-json.ts';
export type { ExactJson } from './parse-exactly.ts';
