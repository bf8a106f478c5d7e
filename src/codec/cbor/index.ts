/**
 * Converts CBOR to the values that the same object has in JSON, and back. Follows the Kubernetes dialect: strings are
 * byte strings, times are text, and bytes that are base64 in JSON are tagged. Applies no defaults and validates only
 * the encoding.
 */
export { CborContentError } from './cbor-content-error.ts';
export { type DecodedCbor, decodeCbor, mapElementIndex } from './decode-cbor.ts';
export { cborListHead, cborWatchEvent, encodeCbor, encodeCborItem } from './encode-cbor.ts';
